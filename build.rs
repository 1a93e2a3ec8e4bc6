//! Tells the tests what they can be compared with, so that one that cannot run is reported as ignored, with the
//! reason, instead of passing unrun.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_go)");
    println!("cargo::rustc-check-cfg=cfg(has_recent_go)");
    println!("cargo::rustc-check-cfg=cfg(has_corpus)");
    println!("cargo::rerun-if-env-changed=PATH");
    println!("cargo::rerun-if-env-changed=KCC_BACKOFF_CORPUS");
    println!("cargo::rerun-if-changed=build.rs");
    let path = env::var_os("PATH").unwrap_or_default();
    if env::split_paths(&path).any(|folder| folder.join("go").is_file() || folder.join("go.exe").is_file()) {
        println!("cargo::rustc-cfg=has_go");
        // From 1.21 on Go fetches the newer one that a module asks for.
        if go_minor().is_some_and(|minor| minor >= 21) {
            println!("cargo::rustc-cfg=has_recent_go");
        }
    }
    if env::var_os("KCC_BACKOFF_CORPUS").is_some_and(|corpus| Path::new(&corpus).is_dir()) {
        println!("cargo::rustc-cfg=has_corpus");
    }
}

/// The second number of Go's version.
fn go_minor() -> Option<u32> {
    let output = Command::new("go").args(["env", "GOVERSION"]).output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    let minor = version.trim().strip_prefix("go1.")?;
    minor.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
}
