//! The contracts of the command line: exit codes, streams, JSON, determinism, and that nothing of a stranger's
//! reaches the terminal as he wrote it.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json as value};

use crate::support::*;

fn code(output: &std::process::Output) -> i32 {
    output.status.code().unwrap()
}

#[test]
fn a_readable_manifest_is_0_with_the_answer_on_stdout_and_the_counts_on_stderr() {
    let output = run(&manifest(DIRECT).with(CEILING, "600").text(), &[]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).starts_with("LoggingLogMetric team-a/it  manifest.yaml:1:1\n"));
    assert_eq!(stderr(&output), "1 object in 1 document of 1 file: 1 of Config Connector\n");
}

#[test]
fn quiet_leaves_out_the_counts_but_not_the_complaints() {
    let output = run(&format!("{}---\na: [\n", manifest(DIRECT).text()), &["-q"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).starts_with("manifest.yaml:"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("in 2 documents"));
}

#[test]
fn a_value_that_is_no_string_is_0_here() {
    assert_eq!(code(&run(&manifest(DIRECT).raw(CEILING, "600").text(), &[])), 0);
}

#[test]
fn a_broken_document_is_2_and_hides_no_other() {
    let text = format!("a: [\n---\n{}", manifest(DIRECT).text());
    let output = run(&text, &[]);
    assert_eq!(code(&output), 2);
    assert!(stdout(&output).contains("LoggingLogMetric team-a/it  manifest.yaml:3:1"));
    assert!(stderr(&output).contains("; 1 unreadable"), "{}", stderr(&output));
    let report = json(&text, &[]);
    assert_eq!(report["objects"].as_array().unwrap().len(), 1);
    assert_eq!(report["problems"][0]["severity"], "error");
    assert_eq!(report["summary"]["broken"], 1);
}

#[test]
fn usage_errors_are_2_and_say_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 7] = [
        (&["explain"], "name a file"),
        (&["explain", "x.yaml", "--kcc-version", "latest"], "expected X.Y.Z"),
        (&["explain", "x.yaml", "--kcc-version", "1.155"], "expected X.Y.Z"),
        (&["explain", "x.yaml", "--ceiling-since", "1.150.0"], "no release up to 1.159 reads"),
        (&["explain", "x.yaml", "--set", "novalue"], "expected KEY=VALUE"),
        (&["explain", "x.yaml", "--now", "yesterday"], "--now"),
        (&["explain", "-o", "xml", "x.yaml"], "possible values"),
    ];
    for (args, expected) in cases {
        let output = binary(folder.path()).args(args).output().unwrap();
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(stderr(&output).contains(expected), "{args:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn help_and_version_are_0_and_document_the_exit_codes() {
    let folder = tempfile::tempdir().unwrap();
    let reads = "input that could not be read";
    let cases: [(&[&str], bool, bool); 8] = [
        (&["--help"], true, true),
        (&["explain", "--help"], false, true),
        (&["list", "--help"], true, true),
        (&["diff", "--help"], true, true),
        (&["reconcile-once", "--help"], true, true),
        (&["console-snapshot", "--help"], false, true),
        (&["kinds", "--help"], false, false),
        (&["completions", "--help"], false, false),
    ];
    for (args, finds, is_given_input) in cases {
        let output = binary(folder.path()).args(args).output().unwrap();
        assert_eq!(code(&output), 0);
        let help = stdout(&output);
        let (_, codes) = help
            .split_once("Exit codes")
            .and_then(|(_, codes)| codes.split_once(":\n  0  done"))
            .expect("they stand at the end");
        assert_eq!(codes.contains("  1  "), finds, "{args:?}: {codes}");
        assert!(codes.contains("  2  usage error"), "{args:?}: {codes}");
        assert_eq!(codes.contains(reads), is_given_input, "{args:?}: {codes}");
    }
    let output = binary(folder.path()).arg("--version").output().unwrap();
    assert_eq!(stdout(&output), format!("kcc-backoff {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_file_that_is_not_there_is_2_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let output = binary(folder.path()).args(["explain", "nowhere.yaml"]).output().unwrap();
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("nowhere.yaml"), "{}", stderr(&output));
}

#[test]
fn standard_input_and_repeated_files_are_read_in_order() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.yaml"), manifest(TF).text()).unwrap();
    let mut child = binary(folder.path())
        .args(["explain", "-", "-f", "a.yaml", "-o", "name"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(manifest(DIRECT).text().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        stdout(&output),
        "logginglogmetric.logging.cnrm.cloud.google.com/it\n\
         accesscontextmanageraccesslevel.accesscontextmanager.cnrm.cloud.google.com/it\n"
    );
}

#[test]
fn json_carries_what_scripts_may_rely_on() {
    let report = json(&manifest(DIRECT).with(CEILING, "600").text(), &[]);
    assert_eq!(report["apiVersion"], "kcc-backoff/v1alpha1");
    assert_eq!(report["kind"], "Explanation");
    assert_eq!(report["release"], "main");
    let object = &report["objects"][0];
    assert_eq!(
        object["ref"],
        value!({"apiVersion": "logging.cnrm.cloud.google.com/v1beta1", "kind": "LoggingLogMetric", "namespace": "team-a", "name": "it"})
    );
    assert_eq!(object["place"], value!({"file": "manifest.yaml", "line": 1, "column": 1}));
    assert_eq!(object["system"], "kcc");
    assert_eq!(object["controller"]["name"], "direct");
    assert_eq!(object["controller"]["decidedBy"], "table");
    assert_eq!(object["controller"]["supported"], value!(["direct"]));
    assert_eq!(object["ceiling"]["state"], "seconds");
    assert_eq!(object["ceiling"]["seconds"], 600);
    assert_eq!(object["ceiling"]["raw"], "600");
    assert_eq!(object["ceiling"]["place"], value!({"file": "manifest.yaml", "line": 7, "column": 57}));
    assert_eq!(object["ceiling"]["honoured"], true);
    assert_eq!(object["retry"]["policy"], "ceiling");
    assert_eq!(object["retry"]["baseSeconds"], 1);
    assert_eq!(object["retry"]["maxSeconds"], 600);
    assert_eq!(object["retry"]["tokenBucket"], Value::Null);
    assert_eq!(object["retry"]["ladder"][1], value!({"attempt": 2, "atSeconds": 1, "delaySeconds": 2}));
    assert_eq!(object["halt"]["onError"], false);
    assert_eq!(object["halt"]["now"], Value::Null);
    assert_eq!(object["halt"]["wokenBy"][0], "spec");
    assert_eq!(object["drift"]["state"], "periodic");
    assert_eq!(object["drift"]["meanSeconds"], 600);
    assert_eq!(object["drift"]["minSeconds"], 300);
    assert_eq!(object["drift"]["maxSeconds"], 900);
    assert_eq!(object["drift"]["origin"], "built-in");
    assert_eq!(object["status"], Value::Null);
    assert_eq!(
        report["summary"],
        value!({"files": 1, "documents": 1, "kcc": 1, "plural": 0, "other": 0, "skipped": 0, "broken": 0})
    );
}

/// README.md's filter for jq: `.objects[] | select(.halt.now) | .halt.commands[0].command`.
#[test]
fn the_halted_objects_of_a_folder_and_the_commands_that_wake_them_are_one_filter_away() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = binary(folder).args(["explain", "-R", "-o", "json", "examples", "--now", NOW]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let objects = report["objects"].as_array().unwrap().iter();
    let commands: Vec<&str> = objects
        .filter(|object| object["halt"]["now"] == true)
        .map(|object| object["halt"]["commands"][0]["command"].as_str().unwrap())
        .collect();
    assert_eq!(
        commands,
        ["kubectl annotate logginglogmetric.logging.cnrm.cloud.google.com/audit-denials -n team-a \
          cnrm.cloud.google.com/backoff-max-delay-in-seconds=600 --overwrite"]
    );
}

#[test]
fn json_has_a_null_and_a_reason_where_something_is_not_known() {
    let report = json(&manifest(DIRECT).with(CEILING, "0").text(), &["--kcc-version", "1.160.0"]);
    let object = &report["objects"][0];
    assert_eq!(object["ceiling"]["honoured"], Value::Null);
    assert!(object["ceiling"]["reason"].as_str().unwrap().contains("not known"));
    assert_eq!(object["retry"]["policy"], Value::Null);
    assert_eq!(object["retry"]["ifHonoured"]["policy"], "halt");
    assert_eq!(object["retry"]["ifIgnored"]["policy"], "default");
    assert_eq!(object["halt"]["onError"], Value::Null);
}

#[test]
fn every_annotation_of_the_family_has_its_place_and_whether_it_was_quoted() {
    let text = manifest(DIRECT).with(CEILING, "600").raw(POLICY, "abandon").raw("example.com/other", "x").text();
    let report = json(&text, &[]);
    assert_eq!(
        report["objects"][0]["annotations"],
        value!([
            {"key": CEILING, "value": "600", "string": true, "quoted": true, "line": 7, "column": 57},
            {"key": POLICY, "value": "abandon", "string": true, "quoted": false, "line": 8, "column": 44},
        ])
    );
}

/// A YAML tree as JSON, by kubectl's rules.
fn as_json(node: kcc_backoff::object::Node<'_>) -> Value {
    use kcc_backoff::object::NodeKind;
    match node.kind() {
        NodeKind::Mapping => Value::Object(
            node.entries().map(|entry| (entry.key.scalar().unwrap().text.to_owned(), as_json(entry.value))).collect(),
        ),
        NodeKind::Sequence => node.items().map(as_json).collect(),
        NodeKind::Scalar => match (node.is_null(), node.bool(), node.int(), node.str()) {
            (true, ..) => Value::Null,
            (_, Some(truth), ..) => value!(truth),
            (_, _, Some(number), _) => value!(number),
            (.., Some(text)) => value!(text),
            _ => value!(node.scalar().unwrap().text.parse::<f64>().unwrap()),
        },
    }
}

#[test]
fn yaml_output_says_the_same_as_json() {
    let hostile = "\"it\\u202e's \\u001b: [odd] # \\ue000 \\U000e0041 \\\"so\\\" \\\\ it is\\nhere\"";
    let texts = [
        manifest(DIRECT).with(CEILING, "0").ready("False", "UpdateFailed").text(),
        manifest(TF).with(CEILING, "yes").raw(POLICY, hostile).raw(INTERVAL, "\"0600\"").text(),
        manifest(TF).raw(POLICY, "\"\\u202eplain\"").raw(INTERVAL, "\"'\\u200b'\"").ready("True", "UpToDate").text(),
        manifest(DIRECT).raw(CEILING, "600").metadata("labels: {a: 1}").text(),
    ];
    let text = texts.join("\n---\n");
    let yaml = run(&text, &["-o", "yaml"]);
    let mut bytes = yaml.stdout.as_slice();
    let read = kcc_backoff::source::load(
        &[kcc_backoff::source::Input::Stdin],
        &kcc_backoff::source::Options::default(),
        &mut bytes,
        &|item| as_json(item.node),
    );
    assert!(read.problems.is_empty(), "{:?}", read.problems);
    let expected = json(&text, &[]);
    for (index, object) in expected["objects"].as_array().unwrap().iter().enumerate() {
        assert_eq!(&read.objects[0]["objects"][index], object);
    }
    assert_eq!(read.objects[0], expected);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let documents: Vec<String> = (0..300)
        .map(|index| {
            let kind = [DIRECT, TF, DCL, MEMBER][index % 4];
            manifest(kind).with(CEILING, &index.to_string()).ready("False", "UpdateFailed").text()
        })
        .collect();
    let text = documents.join("\n---\n");
    for format in ["text", "json", "yaml", "name"] {
        let first = run(&text, &["-o", format]);
        let second = run(&text, &["-o", format]);
        assert!(first.stdout == second.stdout, "{format}");
        assert!(!first.stdout.is_empty());
    }
}

#[test]
fn objects_of_neither_system_are_counted_not_described() {
    let text = format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\n---\napiVersion: deployments.plural.sh/v1alpha1\nkind: Project\nmetadata: {{name: b}}\nspec: {{name: b}}\n---\n{}",
        manifest(DIRECT).text()
    );
    let output = run(&text, &[]);
    assert_eq!(code(&output), 0);
    assert!(!stdout(&output).contains("ConfigMap"));
    assert_eq!(
        stderr(&output),
        "3 objects in 3 documents of 1 file: 1 of Config Connector, 1 of the Plural Console, 1 other (not explained)\n"
    );
    let summary = &json(&text, &[])["summary"];
    assert_eq!((&summary["kcc"], &summary["plural"], &summary["other"]), (&value!(1), &value!(1), &value!(1)));
}

#[test]
fn the_release_is_always_named_and_main_by_default_says_what_releases_do() {
    let text = manifest(DIRECT).text();
    let default = stdout(&run(&text, &[]));
    assert!(default.ends_with(
        "Told for Config Connector main. main is the default; releases up to 1.159 ignore the \
         ceiling annotation (--kcc-version names yours).\n"
    ));
    let named = stdout(&run(&text, &["--kcc-version", "1.155.1"]));
    assert!(named.ends_with("Told for Config Connector 1.155.1.\n"));
    assert_eq!(json(&text, &["--kcc-version", "v1.155.1"])["release"], "1.155.1");
}

#[test]
fn set_takes_short_names_and_takes_annotations_away() {
    let text = manifest(DIRECT).with(CEILING, "600").text();
    let ceiling = |args: &[&str]| json(&text, args)["objects"][0]["ceiling"].clone();
    assert_eq!(ceiling(&["--set", "backoff-max-delay-in-seconds=0"])["state"], "halt");
    assert_eq!(ceiling(&["--set", &format!("{CEILING}=120")])["seconds"], 120);
    assert_eq!(ceiling(&["--set", "backoff-max-delay-in-seconds-"])["state"], "unset");
    assert_eq!(ceiling(&["--set", "backoff-max-delay-in-seconds=0"])["from"], "--set");
}

#[test]
fn namespace_is_for_objects_that_name_none() {
    let text = "apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\nmetadata: {name: a}\n";
    assert_eq!(json(text, &["-n", "team-z"])["objects"][0]["ref"]["namespace"], "team-z");
    assert_eq!(json(text, &[])["objects"][0]["ref"]["namespace"], Value::Null);
    assert_eq!(json(&manifest(DIRECT).text(), &["-n", "team-z"])["objects"][0]["ref"]["namespace"], "team-a");
}

#[test]
fn placeholders_in_names_are_text_like_any_other() {
    let text = "apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\nmetadata:\n  name: metric-${uniqueId}\n";
    assert_eq!(json(text, &[])["objects"][0]["ref"]["name"], "metric-${uniqueId}");
}

/// Names, messages, annotations, keys, kinds and file names come from strangers.
#[test]
fn no_escape_sequence_of_a_stranger_reaches_the_terminal() {
    let hostile = "\\u001b[2J\\u009b31m\\u0007\\u202e";
    let text = format!(
        "apiVersion: \"logging.cnrm.cloud.google.com/v1{hostile}\"\nkind: \"LoggingLogMetric{hostile}\"\nmetadata:\n  name: \"a{hostile}\"\n  \
         namespace: \"b{hostile}\"\n  finalizers: [\"c{hostile}\"]\n  deletionTimestamp: \"2026-11-30T11:00:00Z\"\n  annotations:\n    \
         {CEILING}: \"1{hostile}\"\n    {INTERVAL}: \"2{hostile}\"\n    {POLICY}: \"3{hostile}\"\n    {RECONCILER}: \"4{hostile}\"\n    \
         {ACTUATION}: \"5{hostile}\"\n    \"x{hostile}\": 6\n    \"cnrm.cloud.google.com/y{hostile}\": \"7{hostile}\"\n  labels: {{\"z{hostile}\": ~}}\n\
         status:\n  conditions:\n  - type: Ready\n    status: \"False{hostile}\"\n    reason: \"UpdateFailed{hostile}\"\n    message: \"m{hostile}\"\n\
         ---\n\"dup{hostile}\": 1\n\"dup{hostile}\": 2\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let name = "evil\u{1b}[31m\u{9b}.yaml";
    std::fs::write(folder.path().join(name), text).unwrap();
    let direct = manifest(DIRECT).with(RECONCILER, "direct").text();
    std::fs::write(folder.path().join("ok.yaml"), direct).unwrap();
    for format in ["text", "json", "yaml", "name"] {
        let output = binary(folder.path())
            .args(["explain", name, "ok.yaml", "missing\u{1b}[2J.yaml", "-o", format])
            .output()
            .unwrap();
        assert_eq!(code(&output), 2);
        for stream in [stdout(&output), stderr(&output)] {
            let bad: Vec<char> =
                stream.chars().filter(|c| *c != '\n' && kcc_backoff::output::is_dangerous(*c)).collect();
            assert!(bad.is_empty(), "{format}: {bad:?} in {stream}");
        }
    }
}

#[test]
fn no_line_of_a_broken_document_is_repeated_in_a_complaint() {
    let text = "apiVersion: v1\nkind: Secret\nstringData:\n  password: hunter2-hunter2\n  password: hunter3-hunter3\n---\nkind: Secret\ndata: [hunter4\n";
    let output = run(text, &[]);
    assert_eq!(code(&output), 2);
    let said = stdout(&output) + &stderr(&output);
    assert!(!said.contains("hunter"), "{said}");
}

#[test]
fn colour_is_decided_by_the_flag_before_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), manifest(DIRECT).text()).unwrap();
    let colored = |args: &[&str], env: &[(&str, &str)]| {
        let mut command = binary(folder.path());
        command.args(["explain", "manifest.yaml"]).args(args).envs(env.iter().copied());
        command.output().unwrap().stdout.contains(&0x1b)
    };
    assert!(!colored(&[], &[]), "off a terminal there is no colour");
    assert!(colored(&["--color", "always"], &[]));
    assert!(colored(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(colored(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(&[], &[("CLICOLOR_FORCE", "0")]));
    assert!(!colored(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(colored(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")]), "an empty NO_COLOR says nothing");
    assert!(!colored(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
}

/// A run on `manifest.yaml` whose standard output nobody reads.
fn unread(folder: &std::path::Path, format: &str) -> std::process::Output {
    let mut child = binary(folder)
        .args(["explain", "manifest.yaml", "-o", format])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.wait_with_output().unwrap()
}

#[test]
fn a_closed_pipe_is_a_normal_end() {
    let folder = tempfile::tempdir().unwrap();
    let text = vec![manifest(DIRECT).text(); 2000].join("\n---\n");
    std::fs::write(folder.path().join("manifest.yaml"), text).unwrap();
    for format in ["text", "json", "yaml", "name"] {
        let output = unread(folder.path(), format);
        assert_eq!(code(&output), 0, "{format}: {}", stderr(&output));
        assert!(
            !stderr(&output).contains("panicked") && !stderr(&output).contains("cannot write"),
            "{}",
            stderr(&output)
        );
    }
}

/// Every file of Config Connector's samples is read, and every object gets its controller.
#[test]
#[cfg_attr(not(has_corpus), ignore = "KCC_BACKOFF_CORPUS is not set")]
fn the_samples_of_config_connector_are_read_whole() {
    let corpus = std::env::var("KCC_BACKOFF_CORPUS").unwrap();
    let run = || binary(std::path::Path::new(&corpus)).args(["explain", "-R", ".", "-o", "json"]).output().unwrap();
    let output = run();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let summary = &report["summary"];
    let files = walk(std::path::Path::new(&corpus));
    assert_eq!(summary["files"], files);
    assert_eq!((&summary["skipped"], &summary["broken"]), (&value!(0), &value!(0)));
    let objects = report["objects"].as_array().unwrap();
    assert_eq!(summary["kcc"], objects.len());
    assert!(objects.len() > 1000);
    for object in objects {
        let name = object["controller"]["name"].as_str().unwrap();
        let without_a_row = object["controller"]["reason"].as_str().unwrap().contains("no row in that table");
        assert!(!["none", "unknown"].contains(&name) || without_a_row, "{object}");
    }
    assert!(run().stdout == output.stdout, "two runs differ");
}

fn walk(folder: &std::path::Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .map(|entry| match entry.path() {
            path if path.is_dir() => walk(&path),
            path => usize::from(path.extension().is_some_and(|extension| extension == "yaml")),
        })
        .sum()
}

#[test]
fn a_closed_standard_error_does_not_change_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ok.yaml"), manifest(DIRECT).text()).unwrap();
    std::fs::write(folder.path().join("broken.yaml"), format!("a: [\n---\n{}", manifest(DIRECT).text())).unwrap();
    for (arguments, expected) in [
        (&["explain", "ok.yaml"][..], 0),
        (&["explain", "broken.yaml"], 2),
        (&["explain", "broken.yaml", "-o", "json"], 2),
        (&["explain", "broken.yaml", "-o", "name", "-q"], 2),
        (&["explain", "missing.yaml"], 2),
        (&["explain"], 2),
        (&["explain", "--no-such-option"], 2),
    ] {
        let mut child = binary(folder.path())
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        drop(child.stderr.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), expected, "{arguments:?}");
        let described =
            arguments.iter().any(|argument| argument.ends_with("ok.yaml") || argument.starts_with("broken"));
        assert_eq!(!output.stdout.is_empty(), described, "{arguments:?}: what is readable is still described");
    }
}

#[test]
fn a_closed_standard_output_leaves_the_exit_code_of_broken_input_and_the_complaint() {
    let folder = tempfile::tempdir().unwrap();
    let text = vec![manifest(DIRECT).text(); 500].join("\n---\n") + "\n---\na: [\n";
    std::fs::write(folder.path().join("manifest.yaml"), text).unwrap();
    for format in ["text", "json", "yaml", "name"] {
        let output = unread(folder.path(), format);
        assert_eq!(code(&output), 2, "{format}");
        assert!(stderr(&output).starts_with("manifest.yaml:"), "{format}: {}", stderr(&output));
    }
}

/// Usage errors repeat what the user gave, which may come from a stranger's script.
#[test]
fn usage_errors_show_control_characters_of_the_arguments_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = "x\u{1b}[2J\u{9b}31m\u{7}";
    for arguments in [
        vec!["explain", hostile, "--no-such-option"],
        vec!["explain", "--kcc-version", hostile, "a.yaml"],
        vec!["explain", "--ceiling-since", hostile, "a.yaml"],
        vec!["explain", "--now", hostile, "a.yaml"],
        vec!["explain", "--set", hostile, "a.yaml"],
        vec!["explain", "-o", hostile, "a.yaml"],
        vec!["explain", "a.yaml", "--color", hostile],
        vec![hostile],
        vec!["explain", "--\u{1b}[2J\u{9b}"],
    ] {
        let output = binary(folder.path()).args(&arguments).output().unwrap();
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(output.stdout.is_empty());
        let said = stderr(&output);
        let bad: Vec<char> = said.chars().filter(|c| *c != '\n' && kcc_backoff::output::is_dangerous(*c)).collect();
        assert!(bad.is_empty(), "{arguments:?}: {bad:?} in {said}");
        assert!(!said.is_empty());
    }
    let output = binary(folder.path()).args(["explain", "--set", "x\u{1b}[2J\u{9b}", "a.yaml"]).output().unwrap();
    // clap itself drops whole sequences that begin with ESC; what it leaves is shown.
    assert!(stderr(&output).contains("\\u{9b}"), "{}", stderr(&output));
}

#[test]
fn each_wrong_use_is_2_and_says_what_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, words) in [
        (&["explain"][..], "nothing to explain: name a file, a folder or an archive, or - for standard input"),
        (&["explain", "a", "--set", "nothing"], "expected KEY=VALUE, or KEY- to take an annotation away"),
        (&["explain", "a", "--set", "=1"], "the annotation has no key"),
        (&["explain", "a", "--set=-"], "the annotation has no key"),
        (&["explain", "a", "--now", "noon"], "expected a time such as 2026-11-30T03:12:00Z"),
        (&["explain", "a", "--kcc-version", "1.155"], "expected X.Y.Z (for example 1.155.1) or main"),
        (&["explain", "a", "--ceiling-since", "main"], "expected X.Y.Z (for example 1.155.1)"),
        (
            &["explain", "a", "--ceiling-since", "1.159.0"],
            "--ceiling-since 1.159.0: no release up to 1.159 reads the ceiling annotation, so the first one is later",
        ),
        (&["explain", "a", "--ceiling-since", "1.159.9"], "no release up to 1.159"),
    ] {
        let output = binary(folder.path()).args(arguments).output().unwrap();
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
    }
    let taken = run(&manifest(DIRECT).text(), &["--ceiling-since", "1.160.0"]);
    assert_eq!(code(&taken), 0);
    assert!(stdout(&taken).contains("main is the default; releases before 1.160.0 ignore the ceiling annotation"));
}

#[test]
fn the_summary_counts_the_objects_that_deserve_a_look() {
    let failed = |kind| manifest(kind).ready("False", "UpdateFailed");
    let documents = [
        failed(DIRECT).with(CEILING, "0").text(),
        failed(TF).text(),
        manifest(TF).ready("False", "ManagementConflict").text(),
        manifest(TF).ready("False", "PreActuationTransformFailed").text(),
        manifest(TF).ready("False", "DependencyNotReady").text(),
        manifest(MEMBER).ready("False", "DependencyInvalid").text(),
        manifest(DIRECT).raw(CEILING, "600").text(),
        manifest(DIRECT).with(CEILING, "x").with(INTERVAL, "x").text(),
        manifest(DIRECT).with(INTERVAL, "").text(),
        manifest(TF).with(CEILING, "600").text(),
        manifest(DIRECT).ready("True", "UpToDate").text(),
        manifest(DIRECT).text(),
    ];
    let counts = "12 objects in 12 documents of 1 file: 12 of Config Connector\n";
    let tally = [
        (1, "halted"),
        (1, "refused"),
        (2, "invalid"),
        (2, "failing"),
        (1, "conflict"),
        (2, "waiting"),
        (1, "ineffective"),
    ];
    let told = |times: usize| tally.map(|(count, word)| format!("{} {word}", count * times)).join(", ") + "\n";
    for format in ["text", "json", "yaml"] {
        let output = run(&documents.join("\n---\n"), &["-o", format]);
        assert_eq!(stderr(&output), format!("{counts}{}", told(1)), "{format}");
    }
    // The words are those by which list filters, and list shows as many.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), documents.join("\n---\n")).unwrap();
    for (count, word) in tally {
        let args = ["list", "manifest.yaml", "--no-headers", "--only", word, "--now", NOW];
        let listed = binary(folder.path()).args(args).output().unwrap();
        assert_eq!(stdout(&listed).lines().count(), count, "{word}");
        assert!(stderr(&listed).ends_with(&told(1)), "{}", stderr(&listed));
    }
    // Names are not assessed.
    assert_eq!(stderr(&run(&documents.join("\n---\n"), &["-o", "name"])), counts);
    assert_eq!(stderr(&run(&documents[0], &[])), "1 object in 1 document of 1 file: 1 of Config Connector\n1 halted\n");
    // As many of each as several tasks take.
    let all = stderr(&run(&vec![documents.join("\n---\n"); 70].join("\n---\n"), &["-o", "json"]));
    assert!(all.ends_with(&format!("\n{}", told(70))), "{all}");
    // More objects than one task takes: none is lost, none counted twice.
    let many = run(&vec![documents[1].as_str(); 1100].join("\n---\n"), &[]);
    assert_eq!(stderr(&many), "1100 objects in 1100 documents of 1 file: 1100 of Config Connector\n1100 failing\n");
    let ordered: Vec<String> =
        (0..1100).map(|index| documents[1].replace("name: it", &format!("name: n{index:04}"))).collect();
    let report = json(&ordered.join("\n---\n"), &[]);
    let names: Vec<&str> =
        report["objects"].as_array().unwrap().iter().map(|object| object["ref"]["name"].as_str().unwrap()).collect();
    assert!(names.iter().enumerate().all(|(index, name)| *name == format!("n{index:04}")), "{names:?}");
}

#[test]
fn what_is_skipped_and_what_is_unreadable_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.yaml"), manifest(DIRECT).text()).unwrap();
    std::fs::write(folder.path().join("b.yaml"), "just: text\n---\na: [\n").unwrap();
    let output = binary(folder.path()).args(["explain", ".", "--now", NOW]).output().unwrap();
    assert_eq!(code(&output), 2);
    assert!(
        stderr(&output).ends_with(
            "1 object in 3 documents of 2 files: 1 of Config Connector; 1 skipped (no Kubernetes object, or a template), 1 unreadable\n"
        ),
        "{}",
        stderr(&output)
    );
}

#[test]
fn nothing_at_all_is_counted_as_nothing() {
    let nothing = stderr(&run("# only a comment\n", &["-o", "json"]));
    assert!(nothing.ends_with("[no-manifests]\n0 objects in 0 documents of 1 file\n"), "{nothing}");
    let two = [manifest(DIRECT).text(), manifest(TF).text()].join("\n---\n");
    assert_eq!(stderr(&run(&two, &[])), "2 objects in 2 documents of 1 file: 2 of Config Connector\n");
}

#[test]
fn each_kind_of_dangerous_character_is_escaped_on_its_own() {
    for (written, shown) in [
        ("\\x7f", "\\u{7f}"),
        ("\\u0001", "\\u{1}"),
        ("\\u009b", "\\u{9b}"),
        ("\\u202e", "\\u{202e}"),
        ("\\ufeff", "\\u{feff}"),
        ("\\u00ad", "\\u{ad}"),
        ("\\U000e0041", "\\u{e0041}"),
        ("\\u00fc", "ü"),
        ("\\U0001f600", "😀"),
    ] {
        let text = manifest(DIRECT).text().replace("name: it", &format!("name: \"a{written}b\""));
        let name = format!("logginglogmetric.logging.cnrm.cloud.google.com/a{shown}b\n");
        assert_eq!(stdout(&run(&text, &["-o", "name"])), name, "{written}");
        for format in ["json", "yaml", "text"] {
            let said = stdout(&run(&text, &["-o", format]));
            assert!(!said.chars().any(|c| c != '\n' && kcc_backoff::output::is_dangerous(c)), "{format} {written}");
        }
        let meant: Value = serde_json::from_str(&stdout(&run(&text, &["-o", "json"]))).unwrap();
        let named = meant["objects"][0]["ref"]["name"].as_str().unwrap().to_owned();
        assert_eq!(named.chars().count(), 3, "{written}");
    }
}

/// Sections 3 and 4: releases before 1.155.0 begin at 2 s and later ones at 250 ms; all of them end at 120 s.
#[test]
fn what_older_releases_do_with_a_ceiling_is_told_only_as_far_as_it_holds_for_all_of_them() {
    let line = "read by main; releases up to 1.159 ignore it and come to a retry every 2 min";
    for value in ["600", "0"] {
        assert!(stdout(&run(&manifest(DIRECT).with(CEILING, value).text(), &[])).contains(line), "{value}");
    }
    let said = |manifest: &Manifest, args: &[&str]| stdout(&run(&manifest.text(), args)).contains("read by main");
    assert!(!said(&manifest(DIRECT).raw(CEILING, "600"), &[]), "the API server refuses the object");
    assert!(!said(&manifest(DIRECT).with(CEILING, "10m"), &[]), "no release takes the value");
    assert!(!said(&manifest(TF).with(CEILING, "600"), &[]), "its controller reads it in no release");
    assert!(!said(&manifest(DIRECT).with(CEILING, "600"), &["--kcc-version", "main"]), "the user knows the release");
}

/// Messages of controllers repeat what they were given; what was a login or a token there reaches nobody's screen.
#[test]
fn logins_and_tokens_in_urls_reach_no_command_and_no_format() {
    let text = "apiVersion: deployments.plural.sh/v1alpha1\nkind: GitRepository\nmetadata: {name: a}\n\
        spec: {url: \"https://bot:hunter2@git.example.test/a.git?token=hunter2\"}\n\
        status: {conditions: [{type: Synchronized, status: \"False\", reason: Error, message: \"clone of https://bot:hunter2@git.example.test/a.git failed\"}]}\n\
        ---\napiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\nmetadata: {name: a, namespace: b}\n\
        status: {conditions: [{type: Ready, status: \"False\", reason: UpdateFailed, message: \"call of https://api.example.test/v1?key=hunter2 failed\"}]}\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.yaml"), text).unwrap();
    std::fs::write(folder.path().join("b.yaml"), text.replace("hunter2", "other")).unwrap();
    let commands: [&[&str]; 10] = [
        &["explain", "a.yaml"],
        &["explain", "a.yaml", "-o", "json"],
        &["explain", "a.yaml", "-o", "yaml"],
        &["list", "a.yaml", "-o", "wide"],
        &["list", "a.yaml", "-o", "json"],
        &["list", "a.yaml", "-o", "yaml"],
        &["list", "a.yaml", "--report", "markdown=r.md"],
        &["diff", "b.yaml", "a.yaml"],
        &["diff", "b.yaml", "a.yaml", "-o", "json"],
        &["diff", "b.yaml", "a.yaml", "--report", "markdown=d.md"],
    ];
    for command in commands {
        let output = binary(folder.path()).args(command).output().unwrap();
        assert!(matches!(output.status.code(), Some(0)), "{command:?}: {}", stderr(&output));
        let shown = stdout(&output) + &stderr(&output);
        assert!(!shown.contains("hunter2") && !shown.contains("other@"), "{command:?}: {shown}");
    }
    for report in ["r.md", "d.md"] {
        assert!(!std::fs::read_to_string(folder.path().join(report)).unwrap().contains("hunter2"), "{report}");
    }
}

/// JSON in which no object has a key twice: readers keep one of the two, or refuse the document.
struct Strict;

impl<'de> serde::Deserialize<'de> for Strict {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Strict, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Strict;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("JSON without duplicate keys")
            }
            fn visit_unit<E>(self) -> Result<Strict, E> {
                Ok(Strict)
            }
            fn visit_bool<E>(self, _: bool) -> Result<Strict, E> {
                Ok(Strict)
            }
            fn visit_i64<E>(self, _: i64) -> Result<Strict, E> {
                Ok(Strict)
            }
            fn visit_u64<E>(self, _: u64) -> Result<Strict, E> {
                Ok(Strict)
            }
            fn visit_f64<E>(self, _: f64) -> Result<Strict, E> {
                Ok(Strict)
            }
            fn visit_str<E>(self, _: &str) -> Result<Strict, E> {
                Ok(Strict)
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<Strict, A::Error> {
                while items.next_element::<Strict>()?.is_some() {}
                Ok(Strict)
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut entries: A) -> Result<Strict, A::Error> {
                let mut seen = std::collections::HashSet::new();
                while let Some((key, Strict)) = entries.next_entry::<String, Strict>()? {
                    if seen.contains(&key) {
                        return Err(serde::de::Error::custom(format!("{key} is there twice")));
                    }
                    seen.insert(key);
                }
                Ok(Strict)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[test]
fn no_json_of_any_command_has_a_key_twice() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(serde_json::from_str::<Strict>("{\"a\": {\"b\": 1, \"b\": 2}}").is_err());
    let commands: [&[&str]; 7] = [
        &["explain", "-R", "examples", "-o", "json"],
        &["list", "-R", "examples", "-o", "json"],
        &["diff", "examples/config-connector", "examples/plural-console", "-o", "json"],
        &["simulate", "examples/config-connector/metrics.yaml", "-o", "json"],
        &["simulate", "--scenario", "examples/backoff-max-delay-zero/script.yaml", "-o", "json"],
        &["kinds", "-o", "json"],
        &[
            "reconcile-once",
            "--console-snapshot",
            "examples/console/console.yaml",
            "examples/console/manifests",
            "-o",
            "json",
        ],
    ];
    for command in commands {
        let output = binary(root).args(command).output().unwrap();
        assert!(!output.stdout.is_empty(), "{command:?}: {}", stderr(&output));
        if let Err(error) = serde_json::from_slice::<Strict>(&output.stdout) {
            panic!("{command:?}: {error}");
        }
    }
}
