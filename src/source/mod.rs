//! Where objects come from: files, folders, archives, standard input.
//!
//! Everything is read in parallel, and one document at a time is in memory on each core: [`load`] hands each object
//! over as it comes by, and keeps what is made of it. What cannot be read is complained about and hides nothing else.

mod archive;
mod build;
mod document;
mod mend;
mod oddities;
mod parse;
mod text;
mod trouble;
mod walk;

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use self::build::Memory;
use self::document::{Report, Source};
use crate::object::{Code, Diagnostic, Node, Place, Severity};

/// One thing to read, as it was named on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A file, a folder or an archive.
    Path(PathBuf),
    /// Standard input.
    Stdin,
}

impl From<&OsStr> for Input {
    fn from(name: &OsStr) -> Input {
        if name == "-" { Input::Stdin } else { Input::Path(PathBuf::from(name)) }
    }
}

impl From<OsString> for Input {
    fn from(name: OsString) -> Input {
        Input::from(name.as_os_str())
    }
}

impl From<&str> for Input {
    fn from(name: &str) -> Input {
        Input::from(OsStr::new(name))
    }
}

/// How to read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Look into the subfolders of folders, too (`-R`).
    pub recurse: bool,
    /// Kinds that need no apiVersion, in files alone.
    pub bare_kinds: &'static [&'static str],
}

/// One Kubernetes object, alive only while it is being looked at.
pub struct Item<'t> {
    /// The object.
    pub node: Node<'t>,
    /// The file as it is shown: what the user named, `<stdin>`, or `archive.tgz!member`.
    pub file: &'t Arc<str>,
    /// Its `apiVersion`, inherited from the list where a typed list lets its items leave it out.
    pub api_version: &'t str,
    /// Its `kind`, inherited likewise.
    pub kind: &'t str,
    /// The document of the file that it stands in, from 0; empty documents do not count.
    pub document: usize,
}

/// How much was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Files, members of archives included.
    pub files: usize,
    /// Documents that are not empty, readable or not.
    pub documents: usize,
    /// Documents and list items that are not Kubernetes objects, and templates.
    pub skipped: usize,
    /// Documents, files and archives that cannot be read.
    pub broken: usize,
}

/// Everything that was found.
#[derive(Debug)]
pub struct Loaded<T> {
    /// What was made of each object, in the order of the inputs, then of the sorted paths, then of the text.
    pub objects: Vec<T>,
    /// What is wrong with the inputs, in the same order.
    pub problems: Vec<Diagnostic>,
    /// How much was read.
    pub counts: Counts,
}

impl<T> Loaded<T> {
    /// Whether exit code 2 is due: something is broken, or something that was named cannot be described.
    pub fn failed(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == Severity::Error)
    }
}

/// Reads the inputs and calls `read`, in parallel, for each Kubernetes object in them; what it returns is kept, the
/// document is not.
pub fn load<T: Send>(
    inputs: &[Input],
    options: &Options,
    stdin: &mut dyn Read,
    read: &(dyn Fn(&Item<'_>) -> T + Sync),
) -> Loaded<T> {
    let jobs = jobs(inputs, options, stdin);
    let run = |desk: &mut Desk, job: Job| desk.run(job, options.bare_kinds, read);
    let reports: Vec<Report<T>> = if jobs.len() == 1 {
        // One file needs no other threads, unless it is so large that its documents do.
        let mut desk = Desk::default();
        jobs.into_iter().map(|job| run(&mut desk, job)).collect()
    } else {
        jobs.into_par_iter().map_init(Desk::default, run).collect()
    };
    let mut all = Report::default();
    all.objects.reserve(reports.iter().map(|report| report.objects.len()).sum());
    for report in reports {
        all.append(report);
    }
    let Report { objects, problems, counts } = all;
    Loaded { objects, problems, counts }
}

/// What one thread does at a time.
enum Job {
    File {
        path: PathBuf,
        named: bool,
    },
    Stdin(Vec<u8>),
    /// Something that turned out to be wrong before it was read.
    Problem {
        problem: Diagnostic,
        broken: bool,
    },
}

/// The inputs, folders replaced by the files in them.
fn jobs(inputs: &[Input], options: &Options, stdin: &mut dyn Read) -> Vec<Job> {
    let mut jobs = Vec::new();
    let mut stdin = Some(stdin);
    for input in inputs {
        match input {
            // Standard input can be read only once; naming it again adds nothing.
            Input::Stdin => jobs.extend(stdin.take().map(read_stdin)),
            Input::Path(path) => match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => folder_jobs(path, options, &mut jobs),
                Ok(_) => jobs.push(Job::File { path: path.clone(), named: true }),
                Err(error) => jobs.push(unreadable(path, &error)),
            },
        }
    }
    jobs
}

fn read_stdin(stdin: &mut dyn Read) -> Job {
    let mut bytes = Vec::new();
    match stdin.read_to_end(&mut bytes) {
        Ok(_) => Job::Stdin(bytes),
        Err(error) => unreadable(Path::new(STDIN), &error),
    }
}

fn folder_jobs(folder: &Path, options: &Options, jobs: &mut Vec<Job>) {
    let found = walk::walk(folder, options.recurse);
    if found.files.is_empty() && found.unreadable.is_empty() {
        let message = "holds no .yaml, .yml or .json files";
        let mut problem = Diagnostic::new(Code::NoManifests, Severity::Error, Place::file(&name(folder)), message);
        if !options.recurse && walk::subfolders_hold_manifests(folder) {
            problem = problem.with_fix("its subfolders hold some: add `-R`");
        }
        jobs.push(Job::Problem { problem, broken: false });
    }
    jobs.extend(found.files.into_iter().map(|path| Job::File { path, named: false }));
    jobs.extend(found.unreadable.iter().map(|(path, error)| unreadable(path, error)));
}

fn unreadable(path: &Path, error: &io::Error) -> Job {
    let message = format!("cannot be read: {}", io_words(error));
    let mut problem = Diagnostic::new(Code::Unreadable, Severity::Error, Place::file(&name(path)), message);
    let text = path.to_string_lossy();
    if text.starts_with("https://") || text.starts_with("http://") {
        problem = problem.with_fix("fetch it first: `curl -L URL | kcc-backoff … -`");
    }
    Job::Problem { problem, broken: true }
}

/// How standard input is shown.
const STDIN: &str = "<stdin>";

fn name(path: &Path) -> Arc<str> {
    path.to_string_lossy().into()
}

/// The memory of a thread, used for one file after another.
#[derive(Default)]
struct Desk {
    bytes: Vec<u8>,
    memory: Memory,
}

impl Desk {
    fn run<T: Send>(
        &mut self,
        job: Job,
        bare_kinds: &'static [&'static str],
        read: &(dyn Fn(&Item<'_>) -> T + Sync),
    ) -> Report<T> {
        let (name, named) = match job {
            Job::Problem { problem, broken } => {
                let mut report = Report::problem(problem);
                report.counts.broken = usize::from(broken);
                return report;
            }
            Job::Stdin(bytes) => {
                self.bytes = bytes;
                (STDIN.into(), true)
            }
            Job::File { path, named } => {
                self.bytes.clear();
                // A bound keeps the standard library from asking the file for its size first: two calls fewer a file.
                self.bytes.reserve(1 << 16);
                let opened = File::open(&path).and_then(|file| file.take(u64::MAX).read_to_end(&mut self.bytes));
                if let Err(error) = opened {
                    return self.run(unreadable(&path, &error), bare_kinds, read);
                }
                (name(&path), named)
            }
        };
        if named && archive::is_gzip(&self.bytes) {
            return archive::read(&self.bytes, &name, read);
        }
        if let Some(problem) = named.then(|| not_text(&self.bytes, &name)).flatten() {
            return self.run(Job::Problem { problem, broken: true }, bare_kinds, read);
        }
        Source { name: &name, named, bare_kinds, read }.read_file(&self.bytes, &mut self.memory)
    }
}

/// What is wrong with a file that was named and is an archive of another kind, or not the archive that it says it is.
fn not_text(bytes: &[u8], name: &Arc<str>) -> Option<Diagnostic> {
    let complaint = |message: &str, fix: &str| {
        Some(Diagnostic::new(Code::Archive, Severity::Error, Place::file(name), message).with_fix(fix))
    };
    if archive::is_tar(bytes) {
        return complaint("a tar archive that is not compressed", "compress it (`gzip FILE`), or unpack it");
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return complaint("a zip archive", "unpack it and give the folder");
    }
    if name.ends_with(".tar.gz") || name.ends_with(".tgz") {
        return complaint("not compressed with gzip, against its name", "fetch or pack it again");
    }
    None
}

/// What went wrong, without the number that the system has for it.
pub(crate) fn io_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::UnexpectedEof => "it ends too early".into(),
        _ => {
            let words = error.to_string();
            words.split(" (os error").next().unwrap_or(&words).to_owned()
        }
    }
}
