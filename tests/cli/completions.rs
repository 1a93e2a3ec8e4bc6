//! What shells are told: the scripts, and the answers to them, through the environment by which the scripts ask.

use std::path::Path;
use std::process::Output;

use crate::support::*;

/// Shells, and the files of `completions/`.
const SCRIPTS: [(&str, &str); 5] = [
    ("bash", "kcc-backoff.bash"),
    ("zsh", "_kcc-backoff"),
    ("fish", "kcc-backoff.fish"),
    ("powershell", "_kcc-backoff.ps1"),
    ("elvish", "kcc-backoff.elv"),
];

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn script(shell: &str) -> String {
    let output = binary(here()).args(["completions", shell]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{shell}: {}", stderr(&output));
    assert_eq!(stderr(&output), "");
    stdout(&output)
}

/// What a shell is told when the cursor stands at the end of the last word.
fn asked(folder: &Path, shell: &str, words: &[&str]) -> Output {
    let mut command = binary(folder);
    command.env("COMPLETE", shell).args(["--", "kcc-backoff"]).args(words);
    if ["bash", "zsh", "elvish"].contains(&shell) {
        let separator = if shell == "bash" { "\u{b}" } else { "\n" };
        command.env("_CLAP_IFS", separator).env("_CLAP_COMPLETE_INDEX", words.len().to_string());
    }
    command.output().unwrap()
}

/// The candidates, without what is said of them.
fn offered(shell: &str, words: &[&str]) -> Vec<String> {
    let output = asked(here(), shell, words);
    assert_eq!(output.status.code(), Some(0), "{shell} {words:?}: {}", stderr(&output));
    let text = stdout(&output);
    let between: &[char] = if shell == "bash" { &['\u{b}'] } else { &['\n'] };
    let help = match shell {
        "zsh" => ':',
        _ => '\t',
    };
    text.split(between)
        .filter(|candidate| !candidate.is_empty())
        .map(|candidate| candidate.split(help).next().unwrap().to_owned())
        .collect()
}

#[test]
fn the_files_in_completions_are_what_the_program_prints() {
    for (shell, file) in SCRIPTS {
        let path = here().join("completions").join(file);
        let printed = script(shell);
        if std::env::var_os("KCC_BACKOFF_UPDATE").is_some() {
            std::fs::write(&path, &printed).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == printed,
            "completions/{file} is not what `kcc-backoff completions {shell}` prints; \
             KCC_BACKOFF_UPDATE=1 cargo test the_files_in_completions writes it anew"
        );
    }
}

#[test]
fn a_script_calls_the_program_on_the_path_and_names_no_folder() {
    for (shell, _) in SCRIPTS {
        let script = script(shell);
        assert!(script.contains("kcc-backoff"), "{shell}");
        assert!(!script.contains(env!("CARGO_BIN_EXE_kcc-backoff")), "{shell}");
        assert!(!script.contains("/kcc-backoff"), "{shell}: {script}");
    }
}

#[test]
fn the_readme_of_completions_names_every_file() {
    let readme = std::fs::read_to_string(here().join("completions/README.md")).unwrap();
    for (shell, file) in SCRIPTS {
        assert!(readme.contains(&format!("`{file}`")) || readme.contains(&format!("{file}`")), "{file}");
        assert!(readme.contains(&format!("kcc-backoff completions {shell}")), "{shell}");
    }
}

#[test]
fn every_shell_is_told_the_commands() {
    for (shell, _) in SCRIPTS {
        let offered = offered(shell, &[""]);
        for command in ["explain", "kinds", "completions"] {
            assert!(offered.iter().any(|candidate| candidate == command), "{shell}: {offered:?}");
        }
        assert_eq!(self::offered(shell, &["comple"]), ["completions"], "{shell}");
    }
}

/// The releases of the table, read by hand, and those that rules begin or end with (kcc.md: 1.90.0, 1.103.0, 1.135.0,
/// 1.137.0, 1.138.0, 1.155.0, 1.155.1, 1.158).
#[test]
fn releases_are_main_and_those_that_something_is_known_of_the_newest_first() {
    let table = std::fs::read_to_string(here().join("data/kcc-controllers.csv")).unwrap();
    let mut known: Vec<(u32, u32, u32)> = Vec::new();
    let mut note = |text: &str| {
        let numbers: Vec<u32> = text.split('.').filter_map(|number| number.parse().ok()).collect();
        if let [major, minor, patch] = numbers[..] {
            known.push((major, minor, patch));
        }
    };
    for line in table.lines().skip(1) {
        line.split(',').skip(2).take(2).for_each(&mut note);
    }
    for text in ["1.90.0", "1.103.0", "1.135.0", "1.137.0", "1.138.0", "1.155.0", "1.155.1", "1.158.0"] {
        note(text);
    }
    known.sort_unstable();
    known.dedup();
    let newest_first = known.iter().rev().map(|(major, minor, patch)| format!("{major}.{minor}.{patch}"));
    let expected: Vec<String> = std::iter::once("main".to_owned()).chain(newest_first).collect();
    for words in [
        &["kinds", "--kcc-version", ""][..],
        &["kinds", "--against", ""],
        &["explain", "--kcc-version", ""],
        &["diff", "--against", ""],
    ] {
        for (shell, _) in SCRIPTS {
            assert_eq!(offered(shell, words), expected, "{shell} {words:?}");
        }
    }
    assert_eq!(offered("fish", &["kinds", "--against", "m"]), ["main"]);
}

#[test]
fn kinds_are_offered_in_whatever_case_they_are_begun() {
    for typed in ["ComputeDi", "computedi", "COMPUTEDI"] {
        let expected = ["ComputeDisk", "ComputeDiskResourcePolicyAttachment"];
        assert_eq!(offered("bash", &["kinds", "--kind", typed]), expected);
        assert_eq!(offered("fish", &["kinds", "-k", typed]), expected);
    }
    assert_eq!(offered("zsh", &["kinds", "--kind", "project"]), ["Project"], "of two systems, offered once");
    assert_eq!(offered("bash", &["kinds", "--kind", "scmc"]), ["ScmConnection"], "the documentation's is hidden");
    assert!(offered("fish", &["kinds", "--kind", ""]).len() > 500);
}

#[test]
fn groups_controllers_modes_systems_formats_and_shells_are_offered() {
    let cases: [(&[&str], &[&str]); 9] = [
        (&["kinds", "--group", "comput"], &["compute"]),
        (&["kinds", "--group", "compute."], &["compute.cnrm.cloud.google.com"]),
        (&["kinds", "--group", "deployments"], &["deployments"]),
        (
            &["kinds", "--controller", ""],
            &["direct", "tf", "dcl", "iampolicy", "iampartialpolicy", "iampolicymember", "iamauditconfig"],
        ),
        (&["kinds", "--supports", "d"], &["direct", "dcl"]),
        (&["kinds", "--mode", ""], &["create", "read-only", "adopt"]),
        (&["kinds", "--system", ""], &["kcc", "plural"]),
        (&["kinds", "-o", ""], &["table", "json", "yaml", "name"]),
        (&["completions", "e"], &["elvish"]),
    ];
    for (words, expected) in cases {
        for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
            assert_eq!(offered(shell, words), expected, "{shell} {words:?}");
        }
    }
}

/// A script that gave the line to `Invoke-Expression` would run what stands in it.
#[test]
fn powershells_script_evaluates_nothing_that_is_typed_and_knows_every_command_and_option() {
    let script = script("powershell");
    assert!(!script.contains("Invoke-Expression"), "{script}");
    for command in ["explain", "list", "diff", "kinds", "completions"] {
        assert!(script.contains(&format!("'kcc-backoff;{command}'")), "{command}");
    }
    for option in ["--kcc-version", "--only", "--against", "--report"] {
        assert!(script.contains(&format!("'{option}'")), "{option}");
    }
}

#[test]
fn annotations_are_offered_by_their_short_names_and_then_values_that_are_words() {
    for (typed, expected) in [
        ("backoff", &["backoff-max-delay-in-seconds="][..]),
        ("cnrm.cloud.google.com/backoff", &["cnrm.cloud.google.com/backoff-max-delay-in-seconds="]),
        ("reconciler=", &["reconciler=direct"]),
        (
            "cnrm.cloud.google.com/deletion-policy=",
            &["cnrm.cloud.google.com/deletion-policy=abandon", "cnrm.cloud.google.com/deletion-policy=delete"],
        ),
        ("actuation-mode=P", &["actuation-mode=Paused"]),
        // A lone "0" would be inserted unasked, and it halts.
        ("backoff-max-delay-in-seconds=", &[]),
        ("nobodys-key", &[]),
    ] {
        assert_eq!(offered("fish", &["explain", "--set", typed]), expected, "{typed}");
    }
}

#[test]
fn namespaces_and_times_are_not_guessed() {
    for option in ["-n", "--now", "--ceiling-since"] {
        assert!(offered("fish", &["explain", option, ""]).is_empty(), "{option}");
    }
}

#[test]
fn an_option_with_its_value_behind_an_equals_sign_is_completed() {
    assert_eq!(offered("fish", &["kinds", "--mode=re"]), ["--mode=read-only"]);
    // Bash takes the sign for a word of its own, and replaces what is behind it.
    assert_eq!(offered("bash", &["kinds", "--mode", "=", "re"]), ["read-only"]);
    assert_eq!(offered("bash", &["kinds", "--mode", "="]), ["create", "read-only", "adopt"]);
    assert_eq!(offered("bash", &["explain", "--set", "reconciler", "="]), ["direct"]);
    assert_eq!(offered("bash", &["explain", "--set", "=", "reconciler", "=", "d"]), ["direct"]);
    assert_eq!(offered("bash", &["kinds", "--mode", "=", "adopt", "--system", "p"]), ["plural"]);
}

#[test]
fn files_are_offered_and_those_whose_names_a_terminal_would_obey_are_not() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.yaml", "b\u{1b}[2J.yaml", "c\u{9b}31m.yaml", "d\u{202e}.yaml", "größer.yaml"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    for (shell, _) in SCRIPTS {
        for words in [&["explain", ""][..], &["explain", "-f", ""]] {
            let output = asked(folder.path(), shell, words);
            let text = stdout(&output);
            assert!(text.contains("a.yaml") && text.contains("größer.yaml"), "{shell}: {text:?}");
            let allowed = |character| matches!(character, '\n' | '\t' | '\u{b}');
            let bad: Vec<char> =
                text.chars().filter(|c| !allowed(*c) && kcc_backoff::output::is_dangerous(*c)).collect();
            assert!(bad.is_empty(), "{shell}: {bad:?}");
        }
    }
}

#[test]
fn words_with_control_characters_are_not_sent_back() {
    let hostile = "\u{1b}[2J\u{9b}31m\u{7}";
    for (shell, _) in SCRIPTS {
        for words in [
            vec![hostile],
            vec!["explain", hostile],
            vec!["kinds", "--kind", hostile],
            vec!["kinds", &format!("--{hostile}")],
            vec!["kinds", &format!("-{hostile}")],
            vec!["kinds", &format!("--kind={hostile}")],
            vec!["explain", "--set", &format!("{hostile}=")],
            vec!["explain", "--set", &format!("reconciler={hostile}")],
            vec![hostile, ""],
        ] {
            let output = asked(here(), shell, &words);
            let said = stdout(&output) + &stderr(&output);
            let allowed = |character| matches!(character, '\n' | '\t' | '\u{b}');
            let bad: Vec<char> =
                said.chars().filter(|c| !allowed(*c) && kcc_backoff::output::is_dangerous(*c)).collect();
            assert!(bad.is_empty(), "{shell} {words:?}: {bad:?}");
        }
    }
}

#[test]
fn a_variable_named_complete_that_is_not_a_scripts_changes_nothing() {
    for (value, args) in [
        ("1", &["kinds", "--kind", "ComputeDisk", "-o", "name"][..]),
        ("", &["kinds", "--kind", "ComputeDisk", "-o", "name"]),
        ("tcsh", &["kinds", "--kind", "ComputeDisk", "-o", "name"]),
        ("bash", &["kinds", "--kind", "ComputeDisk", "-o", "name"]),
        ("\u{1b}[2J", &["kinds", "--kind", "ComputeDisk", "-o", "name"]),
    ] {
        let output = binary(here()).env("COMPLETE", value).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{value:?}");
        assert_eq!(stdout(&output), "computedisk.compute.cnrm.cloud.google.com\n", "{value:?}");
    }
}

#[test]
fn the_variable_alone_prints_the_script_as_other_programs_do() {
    for (shell, _) in SCRIPTS {
        for value in [shell.to_owned(), format!("/bin/{shell}")] {
            let output = binary(here()).env("COMPLETE", &value).output().unwrap();
            assert_eq!(stdout(&output), script(shell), "{value}");
        }
    }
}

#[test]
fn an_answer_that_nobody_reads_is_a_normal_end() {
    let mut child = binary(here())
        .env("COMPLETE", "fish")
        .args(["--", "kcc-backoff", "kinds", "--kind", ""])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_shell_that_is_not_known_is_2_and_those_that_are_are_named() {
    let output = binary(here()).args(["completions", "tcsh\u{1b}[2J"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "");
    for (shell, _) in SCRIPTS {
        assert!(stderr(&output).contains(shell), "{}", stderr(&output));
    }
    assert!(!stderr(&output).contains('\u{1b}'));
    let alias = binary(here()).args(["completions", "pwsh"]).output().unwrap();
    assert_eq!(stdout(&alias), script("powershell"));
}

#[test]
fn states_are_offered_and_behind_a_comma_the_next_one() {
    for option in ["--only", "--fail-on"] {
        for (shell, _) in SCRIPTS {
            assert_eq!(offered(shell, &["list", option, "halted"]), ["halted"], "{shell}");
            assert_eq!(offered(shell, &["list", option, "halted,ineff"]), ["halted,ineffective"], "{shell}");
        }
        assert_eq!(offered("bash", &["list", option, "=", "halted,inv"]), ["halted,invalid"]);
    }
}
