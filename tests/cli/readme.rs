//! The examples of README.md and of the examples' own READMEs are run, and print what they say.

#[test]
fn the_documents_examples_print_what_they_say() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .case("README.md")
        .case("examples/README.md")
        .case("examples/console/README.md")
        .case("examples/plural-console/README.md")
        .case("examples/backoff-max-delay-zero/README.md")
        .run();
}

/// The picture in README.md is what its command draws.
#[test]
fn the_picture_in_the_readme_is_what_its_command_draws() {
    let kept = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/retries.svg");
    let folder = tempfile::tempdir().unwrap();
    let args = ["--compare", "default,600,1800,0", "--until", "2h", "--event", "45m=spec", "--svg", "drawn.svg"];
    let output = crate::support::binary(folder.path()).arg("simulate").args(args).output().unwrap();
    assert!(output.status.success());
    let drawn = std::fs::read_to_string(folder.path().join("drawn.svg")).unwrap();
    if std::env::var_os("KCC_BACKOFF_UPDATE").is_some() {
        std::fs::write(&kept, &drawn).unwrap();
    }
    let readme = std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    assert!(readme.contains("`--compare default,600,1800,0 --until 2h --event 45m=spec`"));
    let kept = std::fs::read_to_string(kept).unwrap_or_default();
    assert!(kept == drawn, "KCC_BACKOFF_UPDATE=1 cargo test the_picture_in_the_readme writes it anew");
}
