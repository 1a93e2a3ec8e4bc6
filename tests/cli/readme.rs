//! The examples of README.md and of the examples' own READMEs are run, and print what they say.

#[test]
fn the_documents_examples_print_what_they_say() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .case("README.md")
        .case("examples/README.md")
        .case("examples/plural-console/README.md")
        .run();
}
