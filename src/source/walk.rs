//! Which files a folder holds, and in what order.

use std::cmp::Ordering;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

/// The endings that kubectl reads in folders; `.YAML` is none of them.
const ENDINGS: [&[u8]; 3] = [b".yaml", b".yml", b".json"];

/// Whether a file of a folder or archive is taken for a manifest.
pub(super) fn is_manifest(name: &[u8]) -> bool {
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// The manifests of a folder.
#[derive(Default)]
pub(super) struct Found {
    /// Sorted: the files of a folder by name, a subfolder where its name belongs.
    pub files: Vec<PathBuf>,
    /// Folders that cannot be read, and links that lead nowhere.
    pub unreadable: Vec<(PathBuf, io::Error)>,
    /// Subfolders, not looked into yet.
    folders: Vec<PathBuf>,
}

/// Looks for manifests in a folder. As in kubectl hidden files count, and links to folders are not followed.
///
/// With many small folders this is a fifth of all the work, so it is shared out, too: level by level, because the
/// stack would not hold a recursion as deep as folders can be.
pub(super) fn walk(folder: &Path, recurse: bool) -> Found {
    let mut all = list(folder);
    let mut level = std::mem::take(&mut all.folders);
    while recurse && !level.is_empty() {
        let listed: Vec<Found> = level.par_iter().map(|folder| list(folder)).collect();
        level.clear();
        for found in listed {
            all.files.extend(found.files);
            all.unreadable.extend(found.unreadable);
            level.extend(found.folders);
        }
    }
    all.files.par_sort_unstable_by(|a, b| by_component(a, b));
    all.unreadable.sort_by(|a, b| by_component(&a.0, &b.0));
    all
}

/// What stands in one folder itself.
fn list(folder: &Path) -> Found {
    let mut found = Found::default();
    match fs::read_dir(folder) {
        Err(error) => found.unreadable.push((folder.to_owned(), error)),
        Ok(entries) => {
            for entry in entries {
                match entry {
                    Ok(entry) => found.add(&entry),
                    Err(error) => found.unreadable.push((folder.to_owned(), error)),
                }
            }
        }
    }
    found
}

impl Found {
    fn add(&mut self, entry: &DirEntry) {
        let kind = match entry.file_type() {
            Ok(kind) => kind,
            Err(error) => return self.unreadable.push((entry.path(), error)),
        };
        if kind.is_dir() {
            return self.folders.push(entry.path());
        }
        if !is_manifest(entry.file_name().as_encoded_bytes()) {
            return;
        }
        let path = entry.path();
        if kind.is_file() {
            self.files.push(path);
        } else if kind.is_symlink() {
            match fs::metadata(&path) {
                Ok(target) if target.is_file() => self.files.push(path),
                // Links to folders are not followed; pipes and devices in a folder are not waited for.
                Ok(_) => {}
                Err(error) => self.unreadable.push((path, error)),
            }
        }
    }
}

/// Whether any subfolder holds a manifest, at any depth.
pub(super) fn subfolders_hold_manifests(folder: &Path) -> bool {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        for entry in entries {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(_) if is_manifest(entry.file_name().as_encoded_bytes()) => return true,
                _ => {}
            }
        }
    }
    false
}

fn by_component(a: &Path, b: &Path) -> Ordering {
    compare(a.as_os_str().as_encoded_bytes(), b.as_os_str().as_encoded_bytes())
}

/// Orders paths folder by folder, as `a/b` before `a-b` is; by whole texts `-` would come before `/`.
pub(super) fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let rank = |byte: u8| if std::path::is_separator(char::from(byte)) { 0 } else { byte };
    // The paths of a tree have long beginnings in common; whole blocks of them are compared at once.
    let common = a.chunks_exact(16).zip(b.chunks_exact(16)).take_while(|(x, y)| x == y).count() * 16;
    let (a, b) = (&a[common..], &b[common..]);
    match a.iter().zip(b).find(|(x, y)| x != y) {
        Some((&x, &y)) => rank(x).cmp(&rank(y)),
        None => a.len().cmp(&b.len()),
    }
}
