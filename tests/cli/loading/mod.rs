//! What the reader of manifests takes, what it refuses, and what it says about it.

mod archives;
mod encodings;
mod limits;
mod lists;
mod other_yaml;
mod paths;
mod robustness;
mod streams;
mod templates;
mod trees;

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use kcc_backoff::object::{Code, Diagnostic, Node, ScalarStyle, Severity};
use kcc_backoff::source::{Counts, Input, Item, Loaded, Options, load};
use proptest::prelude::*;
use tempfile::TempDir;

/// An object as these tests look at it: `file:line:column Kind/name`.
fn summary(item: &Item<'_>) -> String {
    let pos = item.node.pos();
    let name = item.node.at(&["metadata", "name"]).and_then(Node::str).unwrap_or("?");
    format!("{}:{}:{} {}/{name}", item.file, pos.line, pos.column, item.kind)
}

fn load_all(inputs: &[Input], recurse: bool, stdin: &mut dyn Read) -> Loaded<String> {
    load(inputs, &Options { recurse, ..Options::default() }, stdin, &summary)
}

/// Reads a text from standard input: as if it were a file that was named.
fn stdin(text: impl AsRef<[u8]>) -> Loaded<String> {
    load_all(&[Input::from("-")], false, &mut text.as_ref())
}

/// The objects in a text, without the file's name.
fn objects(text: &str) -> Vec<String> {
    let loaded = stdin(text);
    assert_eq!(loaded.problems, [], "{text:?}");
    loaded.objects.iter().map(|object| object.replace("<stdin>:", "")).collect()
}

/// The complaints about a text: `line:column code: message`.
fn problems(text: impl AsRef<[u8]>) -> Vec<String> {
    stdin(text).problems.iter().map(told).collect()
}

fn told(problem: &Diagnostic) -> String {
    let Some(place) = &problem.place else { return problem.message.clone() };
    format!("{}:{} {}: {}", place.line, place.column, problem.code.as_str(), problem.message)
}

/// What `read` finds in the only object of a text.
fn look<T: Send>(text: &str, read: impl Fn(Node<'_>) -> T + Sync) -> T {
    let mut loaded =
        load(&[Input::Stdin], &Options::default(), &mut text.as_bytes(), &|item: &Item<'_>| read(item.node));
    assert_eq!(loaded.problems, [], "{text:?}");
    assert_eq!(loaded.objects.len(), 1, "{text:?}");
    loaded.objects.remove(0)
}

fn object(name: &str) -> String {
    format!("apiVersion: v1\nkind: Thing\nmetadata:\n  name: {name}\n")
}

fn json(name: &str) -> String {
    format!(r#"{{"apiVersion": "v1", "kind": "Thing", "metadata": {{"name": "{name}"}}}}"#)
}

/// A folder with these files.
fn folder<B: AsRef<[u8]>>(files: &[(&str, B)]) -> TempDir {
    let root = TempDir::new().expect("a temporary folder");
    for (path, content) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, content).expect("a file");
    }
    root
}

/// Reads what is called `names` in a folder; places are told relative to it.
fn load_in(root: &Path, names: &[&str], recurse: bool) -> Loaded<String> {
    let inputs: Vec<Input> = names.iter().map(|name| Input::Path(root.join(name))).collect();
    let mut loaded = load_all(&inputs, recurse, &mut std::io::empty());
    let prefix = format!("{}/", root.display());
    for object in &mut loaded.objects {
        *object = object.replace(&prefix, "");
    }
    for problem in &mut loaded.problems {
        if let Some(place) = &mut problem.place {
            place.file = place.file.replace(&prefix, "").into();
        }
    }
    loaded
}

fn codes<T>(loaded: &Loaded<T>) -> Vec<(Severity, Code)> {
    loaded.problems.iter().map(|problem| (problem.severity, problem.code)).collect()
}

const ERROR: Severity = Severity::Error;
