//! `kcc-backoff completions`: scripts that make a shell ask this program what could stand at the cursor, and the
//! answers. What is known of releases, kinds and annotations thus stands in the program alone, and no script ages.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;

use clap::CommandFactory;
use clap_complete::CompletionCandidate;
use clap_complete::env::{EnvCompleter, Shells};

use super::{Failure, exit, inputs, kinds};
use crate::kcc::{self, Release};
use crate::output::is_dangerous;

/// The environment variable by which a shell's script asks; it holds the shell's name.
pub(super) const VARIABLE: &str = "COMPLETE";
/// What the scripts call: whichever is first on PATH.
const PROGRAM: &str = "kcc-backoff";

/// Print a script that completes commands, options, releases, kinds and files in a shell
///
/// The script asks the kcc-backoff on PATH for what could stand at the cursor, so it offers the
/// releases, kinds and annotations that this version knows; PowerShell's holds commands and
/// options, and no more. Print it again after an upgrade: script and program must be of one version.
///
///   bash        source <(kcc-backoff completions bash)
///   zsh         source <(kcc-backoff completions zsh)
///   fish        kcc-backoff completions fish | source
///   powershell  kcc-backoff completions powershell | Out-String | Invoke-Expression
///   elvish      eval (kcc-backoff completions elvish | slurp)
#[derive(Debug, clap::Args)]
#[command(after_help = exit::HELP_NO_INPUT, verbatim_doc_comment)]
pub(super) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
    #[value(name = "powershell", alias = "pwsh")]
    Pwsh,
    Elvish,
}

impl Shell {
    fn name(self) -> &'static str {
        match self {
            Shell::Bash => "bash",
            Shell::Zsh => "zsh",
            Shell::Fish => "fish",
            Shell::Pwsh => "powershell",
            Shell::Elvish => "elvish",
        }
    }
}

pub(super) fn run(args: &Args) -> Result<u8, Failure> {
    let script = shells().completer(args.shell.name()).map(script).transpose()?.unwrap_or_default();
    inputs::unless_closed(io::stdout().write_all(script.as_bytes()))?;
    Ok(exit::DONE)
}

fn shells() -> Shells<'static> {
    use clap_complete::env::{Elvish, Fish, Powershell};
    Shells(&[&Bash, &Elvish, &Fish, &Powershell, &Zsh])
}

/// PowerShell's script holds the commands and options itself. The one that would ask this program hands the line to
/// `Invoke-Expression`, which runs a `$(…)` in it as soon as the Tab key is pressed.
fn static_script() -> String {
    let mut bytes = Vec::new();
    clap_complete::generate(clap_complete::aot::PowerShell, &mut super::Cli::command(), PROGRAM, &mut bytes);
    String::from_utf8_lossy(&bytes).trim().to_owned() + "\n"
}

fn script(shell: &dyn EnvCompleter) -> io::Result<String> {
    if shell.name() == Shell::Pwsh.name() {
        return Ok(static_script());
    }
    let mut bytes = Vec::new();
    shell.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut bytes)?;
    // Scripts of both line ends of the file are blank; a file ends in one line break.
    Ok(String::from_utf8_lossy(&bytes).trim().to_owned() + "\n")
}

/// Answers a shell that asks, and returns the exit code. `None` if none does: another program's variable of the same
/// name changes nothing, for only scripts put `--` before the words.
pub(super) fn answer(shell: &OsStr, args: &[OsString], command: impl FnOnce() -> clap::Command) -> Option<u8> {
    let name = Path::new(shell).file_stem()?.to_str()?.to_owned();
    let shells = shells();
    let shell = shells.completer(&name)?;
    let answered = match args.get(1..).unwrap_or_default() {
        [] => script(shell),
        [dashes, words @ ..] if dashes == "--" && !words.is_empty() => candidates(shell, words.to_vec(), command()),
        _ => return None,
    };
    let written = answered.and_then(|answer| io::stdout().write_all(answer.as_bytes()));
    match written {
        Ok(()) => Some(exit::DONE),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Some(exit::DONE),
        // The shell would print the complaint into the line that is being typed.
        Err(_) => Some(exit::INPUT),
    }
}

fn candidates(shell: &dyn EnvCompleter, words: Vec<OsString>, mut command: clap::Command) -> io::Result<String> {
    let mut bytes = Vec::new();
    shell.write_complete(&mut command, words, env::current_dir().ok().as_deref(), &mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    // Names of files, and the beginnings of words, come from strangers. A shell writes candidates to the terminal.
    let separator = separator();
    let harmless = |candidate: &&str| !candidate.chars().any(|character| character != '\t' && is_dangerous(character));
    Ok(text.split(&separator).filter(harmless).collect::<Vec<_>>().join(&separator))
}

/// What stands between candidates; the scripts of some shells say what they split at.
fn separator() -> String {
    env::var("_CLAP_IFS").ok().filter(|separator| !separator.is_empty()).unwrap_or_else(|| "\n".to_owned())
}

/// Bash, which takes the `=` in `--kind=ComputeDisk` for a word of its own.
struct Bash;

/// How the script of clap_complete 4.6 takes the word at the cursor. Just behind `=` bash calls that word empty, and
/// the `=` would be lost.
const BASH_WORD: &str = "words[COMP_CWORD]=\"$2\"";

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == "bash"
    }

    fn write_registration(
        &self,
        variable: &str,
        name: &str,
        bin: &str,
        completer: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut script = Vec::new();
        clap_complete::env::Bash.write_registration(variable, name, bin, completer, &mut script)?;
        let kept = format!("[[ \"${{words[COMP_CWORD]}}\" == \"=\" ]] || {BASH_WORD}");
        out.write_all(String::from_utf8_lossy(&script).replace(BASH_WORD, &kept).as_bytes())
    }

    fn write_complete(
        &self,
        command: &mut clap::Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let index = env::var("_CLAP_COMPLETE_INDEX").ok().and_then(|index| index.parse().ok()).unwrap_or_default();
        let (words, head) = rejoin(words, index);
        let last = words.len().saturating_sub(1);
        let found = clap_complete::engine::complete(command, words, last, folder)?;
        let values = found.iter().map(|candidate| candidate.get_value().to_string_lossy());
        // Bash replaces what is behind the last `=` only.
        let tails: Vec<String> = values.filter_map(|value| Some(value.strip_prefix(&head)?.to_owned())).collect();
        out.write_all(tails.join(&separator()).as_bytes())
    }
}

/// The words up to the one at the cursor, with those that bash took apart at `=` put together again, and what of the
/// last one stands before the part that bash is going to replace.
fn rejoin(words: Vec<OsString>, index: usize) -> (Vec<OsString>, String) {
    let is_split = |word: &OsStr| !word.is_empty() && word.as_encoded_bytes().iter().all(|byte| *byte == b'=');
    let mut joined: Vec<OsString> = Vec::with_capacity(index + 1);
    let mut head = OsString::new();
    let mut open = false;
    for word in words.into_iter().chain([OsString::new()]).take(index.saturating_add(1)) {
        let split = is_split(&word);
        match joined.last_mut() {
            Some(last) if split || open => {
                head = last.clone();
                last.push(&word);
                if split {
                    head.push(&word);
                }
            }
            _ => {
                head.clear();
                joined.push(word);
            }
        }
        open = split;
    }
    (joined, head.to_string_lossy().into_owned())
}

/// Zsh, as clap_complete has it, but for two things that its script leaves undone.
struct Zsh;

/// The end of the loop that sorts the candidates, and of the function, in the script of clap_complete 4.6.
const ZSH_OTHER: &str = "            else\n                other+=(\"$completion\")\n";
const ZSH_SHOW: &str = "        [[ -n $other ]] && _describe -V 'values' other\n";
const ZSH_LISTS: &str = "        local -a other=()\n";

impl EnvCompleter for Zsh {
    fn name(&self) -> &'static str {
        "zsh"
    }

    fn is(&self, name: &str) -> bool {
        name == "zsh"
    }

    fn write_registration(
        &self,
        variable: &str,
        name: &str,
        bin: &str,
        completer: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut script = Vec::new();
        clap_complete::env::Zsh.write_registration(variable, name, bin, completer, &mut script)?;
        let script = String::from_utf8_lossy(&script)
            // No blank behind KEY=: the value comes next.
            .replace(ZSH_LISTS, &format!("        local -a open=()\n{ZSH_LISTS}"))
            .replace(
                ZSH_OTHER,
                &format!("            elif [[ \"$value\" == *= ]]; then\n                open+=(\"$completion\")\n{ZSH_OTHER}"),
            )
            .replace(ZSH_SHOW, &format!("        [[ -n $open ]] && _describe -V 'values' open -S ''\n{ZSH_SHOW}"));
        out.write_all(script.trim_end().as_bytes())?;
        // A file on fpath is run when something is first completed, so that must be answered, too.
        writeln!(
            out,
            "\nif [[ \"${{funcstack[1]}}\" == _{name} ]]; then\n    _clap_dynamic_completer_{} \"$@\"\nfi",
            name.replace('-', "_")
        )
    }

    fn write_complete(
        &self,
        command: &mut clap::Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        clap_complete::env::Zsh.write_complete(command, words, folder, out)
    }
}

/// Releases, the newest first.
pub(super) fn releases() -> Vec<CompletionCandidate> {
    let help = |release: Release| match release.table() {
        _ if release == Release::Main => "the default, where the ceiling annotation works",
        Some(Release::Main) => "controllers told by the table of main",
        Some(_) => "controllers told by its own table",
        None => "before there was a table of controllers",
    };
    let known = kcc::known_releases().into_iter();
    known.map(|release| CompletionCandidate::new(release.to_string()).help(Some(help(release).into()))).collect()
}

/// Kinds that begin with what was typed, in whatever case.
pub(super) fn kinds(typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy().to_lowercase();
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (kind, group) in kinds::kinds() {
        if kind.to_lowercase().starts_with(&typed) {
            found.entry(kind).or_default().push(group);
        }
    }
    // A spelling of the documentation's is offered only where nothing else fits.
    let spelling = |name: &str| crate::plural::kinds().iter().any(|kind| kind.documented_as == Some(name));
    found
        .into_iter()
        .map(|(kind, groups)| CompletionCandidate::new(kind).help(Some(groups.join(", ").into())).hide(spelling(kind)))
        .collect()
}

/// The first labels of API groups, and where none of them fits the groups.
pub(super) fn groups() -> Vec<CompletionCandidate> {
    let groups = kinds::groups();
    let labels = groups
        .iter()
        .map(|group| CompletionCandidate::new(group.split('.').next().unwrap_or(group)).help(Some((*group).into())));
    let whole = groups.iter().map(|group| CompletionCandidate::new(*group).hide(true));
    labels.chain(whole).collect()
}

/// Annotations by their short names with `=`, and behind it the values that mean something.
pub(super) fn settings(typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let known = kcc::KNOWN_KEYS.into_iter();
    let candidates: Vec<CompletionCandidate> = match typed.split_once('=') {
        Some((key, _)) => values_of(kcc::full_key(key))
            .iter()
            .map(|(value, help)| CompletionCandidate::new(format!("{key}={value}")).help(Some((*help).into())))
            .collect(),
        None => known
            .map(|key| {
                let short = key.rsplit_once('/').map_or(key, |(_, name)| name);
                let name = if typed.contains('/') { key } else { short };
                CompletionCandidate::new(format!("{name}=")).help(Some(key.into()))
            })
            .collect(),
    };
    candidates.into_iter().filter(|candidate| candidate.get_value().to_string_lossy().starts_with(&*typed)).collect()
}

/// What can happen, behind the time that was typed.
pub(super) fn events(typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let Some((time, _)) = typed.split_once('=') else { return Vec::new() };
    let candidate = |(what, help): (&str, &str)| {
        CompletionCandidate::new(format!("{time}={what}")).help(Some(help.to_owned().into()))
    };
    let candidates = crate::simulate::WORDS.into_iter().map(candidate);
    candidates.filter(|candidate| candidate.get_value().to_string_lossy().starts_with(&*typed)).collect()
}

/// Policies to compare, behind those that were typed.
pub(super) fn policies(typed: &OsStr) -> Vec<CompletionCandidate> {
    const POLICIES: [&str; 3] = ["default", "plural", "controller-runtime"];
    let typed = typed.to_string_lossy();
    let before = typed.rfind(',').map_or("", |comma| &typed[..=comma]);
    let candidates = POLICIES.iter().map(|policy| CompletionCandidate::new(format!("{before}{policy}")));
    candidates.filter(|candidate| candidate.get_value().to_string_lossy().starts_with(&*typed)).collect()
}

/// Values of an annotation that are words (Config Connector, pkg/k8s, 1.155.1 and main). Seconds are not offered: a lone
/// `0` would be inserted unasked, and as a ceiling it halts.
fn values_of(key: &str) -> &'static [(&'static str, &'static str)] {
    match key {
        kcc::RECONCILER => &[("direct", "the only value with an effect")],
        kcc::DELETION_POLICY => {
            &[("abandon", "deleting the object keeps the cloud resource"), ("delete", "the default")]
        }
        kcc::ACTUATION_MODE => &[("Paused", "nothing is changed in the cloud"), ("Reconciling", "the default")],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_bash_took_apart_are_put_together_up_to_the_cursor() {
        let cases: [(&[&str], usize, &[&str], &str); 8] = [
            (&["k", "kinds", ""], 2, &["k", "kinds", ""], ""),
            (&["k", "kinds"], 2, &["k", "kinds", ""], ""),
            (&["k", "--kind", "=", "Com", "-q"], 3, &["k", "--kind=Com"], "--kind="),
            (&["k", "--kind", "="], 2, &["k", "--kind="], "--kind="),
            (&["k", "--set", "a", "=", "0", ""], 5, &["k", "--set", "a=0", ""], ""),
            (&["k", "--set", "=", "a", "=", "0"], 5, &["k", "--set=a=0"], "--set=a="),
            (&["k", "--kind", "=", "Com", "x"], 4, &["k", "--kind=Com", "x"], ""),
            (&["="], 0, &["="], ""),
        ];
        for (words, index, expected, head) in cases {
            let joined = rejoin(words.iter().map(OsString::from).collect(), index);
            assert_eq!(joined, (expected.iter().map(OsString::from).collect(), head.to_owned()), "{words:?}");
        }
    }

    /// What the scripts of clap_complete are changed in must still be there.
    #[test]
    fn the_scripts_that_are_amended_hold_what_is_amended() {
        let own = |shell: &dyn EnvCompleter| {
            let mut bytes = Vec::new();
            assert!(shell.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut bytes).is_ok());
            String::from_utf8_lossy(&bytes).into_owned()
        };
        assert!(own(&clap_complete::env::Bash).contains(BASH_WORD));
        for part in [ZSH_LISTS, ZSH_OTHER, ZSH_SHOW] {
            assert!(own(&clap_complete::env::Zsh).contains(part), "{part}");
        }
    }
}
