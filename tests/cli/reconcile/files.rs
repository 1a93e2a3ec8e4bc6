//! Snapshots and recordings: what is written, and that it plans as the Console does.

use serde_json::{Value, json};

use super::{reconcile, run};
use crate::console_server::{Fault, TOKEN, TestConsole};
use crate::plural::{SEVEN, object};
use crate::support::{binary, stderr, stdout};

/// A Console that holds something of each kind, in sync with the smallest manifests or not.
fn console() -> TestConsole {
    let console = TestConsole::start();
    console.put("project", json!({"id": "p", "name": "it", "description": "old"}));
    console.put("catalog", json!({"id": "c", "name": "it", "author": "Other", "project": {"id": "p", "name": "it"}}));
    console.put("gitRepository", json!({"id": "r", "url": "https://git.orchard.test/it.git", "health": "PULLABLE"}));
    console.put("notificationSink", json!({"id": "s", "name": "it", "type": "PLURAL", "configuration": {"id": "x"}}));
    console.put("scmConnection", json!({"id": "f", "name": "forge", "type": "GITHUB"}));
    console.put("serviceContext", json!({"id": "k", "name": "it", "configuration": {}}));
    console
}

fn manifests() -> String {
    SEVEN.iter().map(|(kind, _)| object(kind).text() + "---\n").collect()
}

/// What of a plan does not say where the Console's state came from.
fn objects(output: &std::process::Output) -> Value {
    let plan: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(output)));
    plan["objects"].clone()
}

#[test]
fn a_plan_from_a_snapshot_or_a_recording_is_that_from_the_console() {
    let console = console();
    console.fail("user", "it@orchard.test", "forbidden");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), manifests()).unwrap();
    let live = reconcile(&console, folder.path(), &["-o", "json", "--record", "recording.json"]).output().unwrap();
    assert_eq!(live.status.code(), Some(4), "{}", stderr(&live));
    let mut snapshot = binary(folder.path());
    snapshot.args([
        "console-snapshot",
        "manifest.yaml",
        "--console-token-file",
        "token",
        "--console-url",
        &console.url(),
    ]);
    let snapshot = snapshot.args(["--now", "2026-11-30T12:00:00.5Z"]).output().unwrap();
    assert_eq!(snapshot.status.code(), Some(4), "one look-up failed");
    assert!(
        stderr(&snapshot).contains("user \"it@orchard.test\" could not be looked up: forbidden"),
        "{}",
        stderr(&snapshot)
    );
    assert!(stderr(&snapshot).contains("6 there, 1 absent, 1 not looked up"), "{}", stderr(&snapshot));
    std::fs::write(folder.path().join("console.yaml"), &snapshot.stdout).unwrap();
    console.assert_valid();
    let asked = console.requests().len();
    for source in [["--console-snapshot", "console.yaml"], ["--replay", "recording.json"]] {
        let mut command = binary(folder.path());
        let offline = command.args(["reconcile-once", "manifest.yaml", "-o", "json"]).args(source).output().unwrap();
        assert_eq!(offline.status.code(), Some(4), "{source:?}: {}", stderr(&offline));
        let (mut told, mut expected) = (objects(&offline), objects(&live));
        // What failed then is unknown now, for another reason.
        for object in told.as_array_mut().unwrap().iter_mut().chain(expected.as_array_mut().unwrap()) {
            if object["action"] == "unknown" {
                object["reason"] = Value::Null;
                object["status"] = Value::Null;
            }
        }
        assert_eq!(told, expected, "{source:?}");
    }
    assert_eq!(console.requests().len(), asked, "nobody is asked offline");
}

#[test]
fn a_snapshot_says_when_and_of_what_it_was_taken_and_what_is_absent() {
    let console = console();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), manifests()).unwrap();
    std::fs::write(folder.path().join("token"), TOKEN).unwrap();
    let url = console.url();
    let args = ["console-snapshot", "manifest.yaml", "--console-token-file", "token", "--console-url", &url];
    let output = binary(folder.path()).args(args).args(["--now", "2026-11-30T12:00:00Z"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for line in [
        "apiVersion: kcc-backoff/v1alpha1\nkind: ConsoleSnapshot\n",
        "taken: \"2026-11-30T12:00:00Z\"\n",
        &format!("console: {url}\n"),
        "complete: false\n",
        "  prAutomation:\n    - it\n",
        "  user:\n    - it@orchard.test\n",
    ] {
        let loose = |text: &str| text.replace(['"', '\'', ' '], "");
        assert!(loose(&text).contains(&loose(line)), "{line}\n{text}");
    }
    // The plan from it says so, too.
    std::fs::write(folder.path().join("console.yaml"), &output.stdout).unwrap();
    let plan =
        binary(folder.path()).args(["reconcile-once", "manifest.yaml", "--console-snapshot", "console.yaml"]).output();
    let told = stdout(&plan.unwrap());
    let head = format!("from the snapshot console.yaml of {url}, taken 2026-11-30T12:00:00Z.");
    assert!(told.contains(&head), "{told}");
}

#[test]
fn what_a_snapshot_does_not_tell_is_unknown_and_4() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), object("Project").text()).unwrap();
    let snapshot = |more: &str| {
        let text = format!("apiVersion: kcc-backoff/v1alpha1\nkind: ConsoleSnapshot\n{more}");
        std::fs::write(folder.path().join("console.yaml"), text).unwrap();
        let mut command = binary(folder.path());
        command.args(["reconcile-once", "manifest.yaml", "--console-snapshot", "console.yaml", "-o", "json"]);
        command.output().unwrap()
    };
    let output = snapshot("");
    assert_eq!((output.status.code(), &objects(&output)[0]["action"]), (Some(4), &json!("unknown")));
    let output = snapshot("complete: true\n");
    assert_eq!((output.status.code(), &objects(&output)[0]["action"]), (Some(0), &json!("create")));
    let output = snapshot("absent: {project: [it]}\n");
    assert_eq!((output.status.code(), &objects(&output)[0]["action"]), (Some(0), &json!("create")));
    let output = snapshot("project: [{name: it}]\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("console.yaml:3:11: error: project.id is missing"), "{}", stderr(&output));
    let output = snapshot("project: [{id: \"1\", name: it, descripton: x}]\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(
        stderr(&output).contains("console.yaml:3:31: warning: project.descripton is not looked at"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn files_that_are_not_there_or_something_else_are_2_with_their_name() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), object("Project").text()).unwrap();
    std::fs::write(folder.path().join("other.json"), "{}").unwrap();
    std::fs::write(folder.path().join("empty"), " \n").unwrap();
    let cases: [(&[&str], &str); 7] = [
        (&["--console-snapshot", "nowhere.yaml"], "nowhere.yaml: error: cannot be read: there is no such file"),
        (&["--console-snapshot", "manifest.yaml"], "holds 0 documents of kind ConsoleSnapshot"),
        (&["--replay", "nowhere.json"], "cannot read the recording nowhere.json: there is no such file"),
        (&["--replay", "other.json"], "the recording other.json is no ConsoleRecording"),
        (&["--console-url", "https://c.test", "--console-token-file", "nowhere"], "cannot read the token file nowhere"),
        (&["--console-url", "https://c.test", "--console-token-file", "empty"], "--console-token-file is empty"),
        (
            &[
                "--console-url",
                "http://127.0.0.1:9",
                "--console-token-file",
                "other.json",
                "--console-ca",
                "other.json",
            ],
            "other.json holds no PEM certificate",
        ),
    ];
    for (args, said) in cases {
        let output = binary(folder.path()).args(["reconcile-once", "manifest.yaml"]).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(said), "{args:?}: {}", stderr(&output));
    }
    let conflict = ["reconcile-once", "manifest.yaml", "--console-snapshot", "a", "--console-url", "https://c.test"];
    assert_eq!(binary(folder.path()).args(conflict).output().unwrap().status.code(), Some(2));
}

#[test]
fn a_recording_is_written_when_the_run_fails_too() {
    for fault in [Fault::Status(401, String::new(), None), Fault::Cut, Fault::Html(500), Fault::Oversized(17 << 20)] {
        let console = console();
        console.fault(fault.clone());
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("manifest.yaml"), object("Project").text()).unwrap();
        let output = reconcile(&console, folder.path(), &["--record", "r.json"]).output().unwrap();
        assert!(matches!(output.status.code(), Some(3 | 4)), "{fault:?}");
        let text = std::fs::read_to_string(folder.path().join("r.json")).unwrap();
        let recording: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(recording["kind"], "ConsoleRecording");
        assert!(!recording["exchanges"].as_array().unwrap().is_empty(), "{fault:?}: {text}");
        let replay = ["reconcile-once", "manifest.yaml", "--replay", "r.json"];
        let replayed = binary(folder.path()).args(replay).output().unwrap();
        assert_eq!(replayed.status.code(), output.status.code(), "{fault:?}: {}", stderr(&replayed));
    }
}

/// A marker in everything that is secret, searched for in everything that is printed or written.
#[test]
fn no_token_and_no_secret_reaches_any_output_recording_snapshot_or_log() {
    let manifest = r#"apiVersion: v1
kind: Secret
metadata: {name: secret, namespace: infra}
stringData: {username: MARKER-user, password: "MARKER-\"quoted\"\nline", privateKey: MARKER-key}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: common, namespace: infra}
data: {endpoint: MARKER-from-a-config-map}
---
apiVersion: deployments.plural.sh/v1alpha1
kind: GitRepository
metadata: {name: r}
spec: {url: "https://bot:MARKER-login@git.orchard.test/it.git?token=MARKER-query", credentialsRef: {name: secret, namespace: infra}}
---
apiVersion: deployments.plural.sh/v1alpha1
kind: ServiceContext
metadata: {name: it, namespace: infra}
spec:
  configuration: {literal: shown, url: "https://bot:MARKER-literal-login@h.test"}
  configMapRef: {name: common}
  secretRef: {name: secret}
---
apiVersion: deployments.plural.sh/v1alpha1
kind: NotificationSink
metadata: {name: it, namespace: infra}
spec: {name: it, type: SLACK, configuration: {slack: {url: "https://hooks.orchard.test/MARKER-hook"}}}
---
apiVersion: deployments.plural.sh/v1alpha1
kind: PrAutomation
metadata: {name: it}
spec:
  scmConnectionRef: {name: forge}
  configuration: [{name: p, type: PASSWORD, default: MARKER-default}]
  proxy: {url: "http://bot:MARKER-proxy@proxy.test"}
  creates: {templates: [{destination: x, external: true, context: {url: "https://t:MARKER-context@h.test"}}]}
---
apiVersion: deployments.plural.sh/v1alpha1
kind: Project
metadata: {name: it}
spec: {name: it}
"#;
    let long_key = format!("MARKER-{}", "k".repeat(600));
    let manifest = manifest.replace("MARKER-key", &long_key);
    let setups: [&dyn Fn(&TestConsole); 6] = [
        // Held, and another value of everything.
        &|console| {
            console.put(
                "gitRepository",
                json!({"url": "https://bot:MARKER-login@git.orchard.test/it.git?token=MARKER-query", "health": "FAILED",
                       "error": format!("cannot clone https://bot:MARKER-login@git.orchard.test/it.git with {long_key}")}),
            );
            let configuration = json!({"literal": "MARKER-held", "password": "MARKER-held", "list": ["MARKER-held"], "gone": {"deep": "MARKER-held"}});
            console.put("serviceContext", json!({"name": "it", "configuration": configuration}));
            let slack = json!({"id": "x", "slack": {"url": "https://hooks.orchard.test/MARKER-held"}});
            console.put("notificationSink", json!({"name": "it", "type": "SLACK", "configuration": slack}));
            let parameters = json!([{"name": "p", "type": "PASSWORD", "default": "MARKER-held"}]);
            console.put(
                "prAutomation",
                json!({"name": "it", "configuration": parameters, "proxy": {"url": "http://bot:MARKER-held@proxy.test"}}),
            );
        },
        // Messages that repeat what they were given.
        &|console| {
            for (field, identity) in [("project", "it"), ("serviceContext", "it"), ("notificationSink", "it")] {
                let message = format!(
                    "{TOKEN} https://bot:MARKER-login@h.test {long_key} https://hooks.orchard.test/MARKER-hook"
                );
                console.fail(field, identity, &message);
            }
        },
        // One that is cut is cut behind its secrets.
        &|console| console.fail("project", "it", &format!("{} {long_key}", "x".repeat(200))),
        &|console| {
            console.fault(Fault::Status(400, format!("{{\"message\":\"{long_key} MARKER-user is bad\"}}"), None))
        },
        &|console| console.fault(Fault::Status(401, format!("{{\"message\":\"bad {TOKEN}\"}}"), None)),
        &|console| console.fault(Fault::Status(500, format!("<html>{TOKEN} MARKER-page"), None)),
    ];
    for (number, setup) in setups.iter().enumerate() {
        let console = TestConsole::start();
        console.put("scmConnection", json!({"name": "forge", "type": "GITHUB"}));
        setup(&console);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("manifest.yaml"), &manifest).unwrap();
        let url = console.url();
        let snapshot =
            ["console-snapshot", "manifest.yaml", "--console-token-file", "token", "--console-url", &url, "-vv"];
        let reports = ["--report", "markdown=m.md", "--report", "junit=j.xml", "--report", "github=g.txt"];
        let runs: [Vec<&str>; 4] = [
            vec!["-vv", "--record", "r.json"],
            [&["-o", "json", "--semantics", "controller"][..], &reports].concat(),
            vec!["-o", "yaml", "-v"],
            vec!["--color", "always"],
        ];
        let mut all = String::new();
        for args in runs {
            let output = reconcile(&console, folder.path(), &args).output().unwrap();
            all += &(stdout(&output) + &stderr(&output));
        }
        let output = binary(folder.path()).args(snapshot).output().unwrap();
        all += &(stdout(&output) + &stderr(&output));
        std::fs::write(folder.path().join("console.yaml"), &output.stdout).unwrap();
        for source in [["--console-snapshot", "console.yaml"], ["--replay", "r.json"]] {
            let output =
                binary(folder.path()).args(["reconcile-once", "manifest.yaml", "-vv"]).args(source).output().unwrap();
            all += &(stdout(&output) + &stderr(&output));
        }
        for file in ["r.json", "m.md", "j.xml", "g.txt"] {
            all += &std::fs::read_to_string(folder.path().join(file)).unwrap();
        }
        let at = all.find("MARKER");
        let around = at.map(|at| all[at.saturating_sub(300)..].chars().take(500).collect::<String>());
        assert_eq!(around, None, "set-up {number}");
        assert!(number > 0 || all.contains("shown"), "what stands in the manifest is shown");
    }
}

#[test]
fn names_and_messages_of_strangers_do_not_reach_the_terminal_as_they_are() {
    let console = TestConsole::start();
    console.put("project", json!({"name": "it", "description": "\u{1b}[31mred\u{202e}"}));
    console.put("group", json!({"name": "g\u{1b}]0;x\u{7}"}));
    console.fail("catalog", "it", "\u{1b}[2J\u{9b}1m");
    let project = object("Project").spec("description: \"\\e[32mgreen\"").text();
    let catalog = object("Catalog").meta("name: \"it\"").text();
    let text = format!("{project}---\n{catalog}");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), &text).unwrap();
    let reports =
        ["--report", "markdown=m.md", "--report", "junit=j.xml", "--report", "github=g.txt", "--record", "r.json"];
    for format in ["text", "json", "yaml"] {
        let output = reconcile(&console, folder.path(), &["-o", format, "-vv"]).args(reports).output().unwrap();
        let mut shown = stdout(&output) + &stderr(&output);
        for file in ["m.md", "j.xml", "g.txt", "r.json"] {
            shown += &std::fs::read_to_string(folder.path().join(file)).unwrap();
        }
        let bad = shown.chars().find(|character| kcc_backoff::output::is_dangerous(*character) && *character != '\n');
        assert_eq!(bad, None, "{format}: {shown}");
    }
}

#[test]
fn gates_end_with_1_and_what_went_wrong_goes_first() {
    let console = console();
    let project = object("Project").text();
    let code = |text: &str, args: &[&str]| run(&console, text, args).status.code().unwrap();
    assert_eq!(code(&project, &[]), 0);
    assert_eq!(code(&project, &["--exit-code"]), 1);
    assert_eq!(code(&project, &["--fail-on", "adopt,delete"]), 1);
    assert_eq!(code(&project, &["--fail-on", "create", "--fail-on", "delete"]), 0);
    assert_eq!(code(&project, &["--fail-on", "nonsense"]), 2);
    let in_sync = object("NotificationSink").id().status("sha: x").drift(false).text();
    assert_eq!(code(&in_sync, &["--exit-code"]), 0, "only read");
    let waiting = object("Catalog").meta("name: new").spec("name: new").spec("projectRef: {name: nowhere}").text();
    assert_eq!(code(&waiting, &["--exit-code"]), 0, "waiting is no change");
    assert_eq!(code(&waiting, &["--fail-on", "wait"]), 1);
    // 2 goes before 4, and 4 before 1.
    let conflict = format!("{project}---\n{}", object("Project").meta("name: other").text());
    assert_eq!(code(&conflict, &["--fail-on", "adopt", "--exit-code"]), 4);
    assert_eq!(code(&format!("{conflict}---\na: [\n"), &["--exit-code"]), 2);
}

#[test]
fn reports_are_written_beside_the_output() {
    let console = console();
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{}---\n{}", object("Project").spec("description: \"new <b>\"").text(), object("Flow").text());
    std::fs::write(folder.path().join("manifest.yaml"), text).unwrap();
    let reports =
        ["--report", "markdown=m.md", "--report", "junit=j.xml", "--report", "github=-", "--fail-on", "adopt"];
    let output = reconcile(&console, folder.path(), &reports).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let read = |file: &str| std::fs::read_to_string(folder.path().join(file)).unwrap();
    let markdown = read("m.md");
    assert!(markdown.contains("| adopt \\(not allowed\\) | Project it | "), "{markdown}");
    assert!(markdown.contains("- \\~ description: \"old\" → \"new &lt;b&gt;\"\n"), "{markdown}");
    let junit = read("j.xml");
    assert!(junit.contains("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\""), "{junit}");
    assert!(junit.contains("<failure message=\"adopt is not allowed\" type=\"adopt\">exists (id p)"), "{junit}");
    let said = stderr(&output);
    assert!(
        said.contains("::error file=manifest.yaml,line=1,col=1,title=Project it::adopt (not allowed): exists"),
        "{said}"
    );
    // The reports of a fleet have no such formats.
    let list = binary(folder.path()).args(["list", "manifest.yaml", "--report", "junit=x"]).output().unwrap();
    assert_eq!(list.status.code(), Some(2));
    assert!(stderr(&list).contains("there is markdown"), "{}", stderr(&list));
}

#[test]
fn without_the_console_json_says_why_and_text_says_no_plan() {
    let console = console();
    console.fault(Fault::Status(401, String::new(), None));
    let output = run(&console, &object("Project").text(), &["-o", "json"]);
    let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&plan["kind"], &plan["objects"]), (&json!("Plan"), &json!([])));
    assert_eq!(plan["problems"][0]["severity"], "error");
    assert_eq!(stdout(&run(&console, &object("Project").text(), &[])), "");
    // Nor does a report look like a plan of nothing.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), object("Project").text()).unwrap();
    let reports = ["--report", "markdown=m.md", "--report", "junit=j.xml", "--report", "github=g.txt"];
    assert_eq!(reconcile(&console, folder.path(), &reports).output().unwrap().status.code(), Some(3));
    let read = |file: &str| std::fs::read_to_string(folder.path().join(file)).unwrap();
    let markdown = read("m.md");
    assert!(markdown.contains("refuses the credentials") && markdown.contains("There is no plan."), "{markdown}");
    assert!(read("j.xml").contains("errors=\"1\"") && read("j.xml").contains("<error message=\"console-unavailable\""));
    assert!(read("g.txt").starts_with("::error::the Console at "), "{}", read("g.txt"));
}

#[test]
fn reports_say_what_is_wrong_with_an_object_and_with_the_inputs() {
    let console = console();
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{}---\na: [\n", object("Catalog").without("author").text());
    std::fs::write(folder.path().join("manifest.yaml"), text).unwrap();
    let reports = ["--report", "markdown=m.md", "--report", "junit=j.xml", "--report", "github=g.txt"];
    assert_eq!(reconcile(&console, folder.path(), &reports).output().unwrap().status.code(), Some(2));
    for file in ["m.md", "j.xml", "g.txt"] {
        let report = std::fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(report.contains("author is missing"), "{file}: {report}");
        assert!(report.contains("manifest.yaml") && report.to_lowercase().contains("error"), "{file}: {report}");
    }
}

#[test]
fn repositories_that_differ_only_in_their_login_are_unknown_offline_and_never_absent() {
    let console = TestConsole::start();
    console.put("gitRepository", json!({"url": "https://a:MARKER-1@h.test/x.git", "health": "PULLABLE"}));
    let one = |name: &str, url: &str| {
        object("GitRepository").meta(&format!("name: {name}")).spec(&format!("url: {url}")).text()
    };
    let text = one("a", "https://a:MARKER-1@h.test/x.git") + "---\n" + &one("b", "https://b:MARKER-2@h.test/x.git");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), text).unwrap();
    let live = reconcile(&console, folder.path(), &["-o", "json", "--record", "r.json"]).output().unwrap();
    let actions = |output: &std::process::Output| {
        let all = objects(output);
        all.as_array().unwrap().iter().map(|object| object["action"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(actions(&live), ["adopt", "create"]);
    let mut snapshot = binary(folder.path());
    snapshot.args([
        "console-snapshot",
        "manifest.yaml",
        "--console-token-file",
        "token",
        "--console-url",
        &console.url(),
    ]);
    let snapshot = snapshot.output().unwrap();
    assert_eq!(snapshot.status.code(), Some(4));
    assert!(
        stderr(&snapshot).contains("without its login it cannot be told from another one"),
        "{}",
        stderr(&snapshot)
    );
    std::fs::write(folder.path().join("console.yaml"), &snapshot.stdout).unwrap();
    for source in [["--console-snapshot", "console.yaml"], ["--replay", "r.json"]] {
        let args = ["reconcile-once", "manifest.yaml", "-o", "json"];
        let offline = binary(folder.path()).args(args).args(source).output().unwrap();
        assert_eq!(offline.status.code(), Some(4), "{source:?}: {}", stderr(&offline));
        assert_eq!(actions(&offline), ["unknown", "unknown"], "{source:?}");
    }
}
