//! Archives of manifests: `.tar.gz` and `.tgz`.

use std::io::{self, Read};
use std::sync::Arc;

use flate2::bufread::GzDecoder;
use rayon::prelude::*;
use tar::{Archive, Header};

use super::build::Memory;
use super::document::{Report, Source};
use super::{Item, io_words, walk};
use crate::object::{Code, Diagnostic, Place, Severity};

/// The most that an archive may unpack to: real ones are a thousandth of it, and a few kilobytes can be made to unpack
/// to terabytes.
const MAX_UNPACKED: u64 = 512 * 1024 * 1024;

/// Members are unpacked until they are this many bytes, then read in parallel.
const BATCH: usize = 16 * 1024 * 1024;

/// The size of a header in a tar archive.
const BLOCK: usize = 512;

/// Whether a file is compressed with gzip.
pub(super) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x1f\x8b")
}

/// Whether a file is a tar archive that is not compressed.
pub(super) fn is_tar(bytes: &[u8]) -> bool {
    bytes.first_chunk::<BLOCK>().is_some_and(|block| block[257..].starts_with(b"ustar") && is_header(block))
}

/// Reads the manifests of an archive. What was unpacked before it turns out to be damaged is kept.
pub(super) fn read<T: Send>(bytes: &[u8], name: &Arc<str>, read: &(dyn Fn(&Item<'_>) -> T + Sync)) -> Report<T> {
    let mut members = Members { archive: name, read, batch: Vec::new(), reports: Vec::new() };
    let outcome = members.unpack(bytes);
    members.flush();
    let mut report = members.into_report();
    let complaint = |code, message: String, fix: Option<&str>| {
        let problem = Diagnostic::new(code, Severity::Error, Place::file(name), message);
        if let Some(fix) = fix { problem.with_fix(fix) } else { problem }
    };
    let problem = match outcome {
        Ok(()) if report.counts.files > 0 => return report,
        Ok(()) => complaint(Code::NoManifests, "holds no .yaml, .yml or .json files".into(), None),
        Err(Fault::NotTar) => {
            let fix = "unpack it and give the output: `gunzip -c FILE | kcc-backoff … -`";
            complaint(Code::Archive, "compressed, but not a tar archive".into(), Some(fix))
        }
        Err(Fault::TooLarge) => {
            let message = format!("unpacks to more than {} MiB; the rest was not read", MAX_UNPACKED / 1024 / 1024);
            complaint(Code::Archive, message, Some("unpack it and give the folder"))
        }
        Err(Fault::Damaged(words)) => {
            let message = match report.counts.files {
                0 => format!("a damaged archive: {words}"),
                files => format!("a damaged archive, of which only {files} manifests could be read: {words}"),
            };
            complaint(Code::Archive, message, Some("fetch or pack it again"))
        }
    };
    if problem.code == Code::Archive {
        report.counts.broken += 1;
    }
    report.problems.push(problem);
    report
}

/// Unpacks what gzip packed, maybe in several parts; what stands behind them and is none is padding, which gzip itself
/// ignores, too.
struct Gunzip<'a> {
    part: Option<GzDecoder<&'a [u8]>>,
}

impl<'a> Gunzip<'a> {
    fn new(bytes: &'a [u8]) -> Gunzip<'a> {
        Gunzip { part: Some(GzDecoder::new(bytes)) }
    }
}

impl Read for Gunzip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(part) = &mut self.part {
            let read = part.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let rest = *part.get_ref();
            self.part = is_gzip(rest).then(|| GzDecoder::new(rest));
        }
        Ok(0)
    }
}

enum Fault {
    NotTar,
    TooLarge,
    Damaged(String),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        Fault::Damaged(io_words(&error))
    }
}

struct Members<'a, T> {
    archive: &'a Arc<str>,
    read: &'a (dyn Fn(&Item<'_>) -> T + Sync),
    /// Members that are unpacked and not yet read.
    batch: Vec<(String, Vec<u8>)>,
    reports: Vec<(String, Report<T>)>,
}

impl<T: Send> Members<'_, T> {
    fn unpack(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut first = Vec::new();
        Gunzip::new(bytes).take(BLOCK as u64).read_to_end(&mut first)?;
        if !first.first_chunk::<BLOCK>().is_some_and(is_header) {
            return Err(Fault::NotTar);
        }
        let mut archive = Archive::new(Gunzip::new(bytes).take(MAX_UNPACKED));
        let outcome = self.unpack_members(&mut archive);
        let mut rest = archive.into_inner();
        // The sum that tells whether all arrived as it was packed stands behind the last member.
        let drained = if outcome.is_ok() { io::copy(&mut rest, &mut io::sink()) } else { Ok(0) };
        if rest.limit() == 0 {
            return Err(Fault::TooLarge);
        }
        outcome?;
        drained.map(|_| ()).map_err(Fault::from)
    }

    fn unpack_members(&mut self, archive: &mut Archive<impl Read>) -> Result<(), Fault> {
        let mut unread = 0;
        for entry in archive.entries()? {
            let mut entry = entry?;
            let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let path = path.strip_prefix("./").unwrap_or(&path);
            let base = path.rsplit('/').next().unwrap_or(path);
            // macOS packs a `._` file of attributes beside each file.
            if !entry.header().entry_type().is_file() || base.starts_with("._") || !walk::is_manifest(path.as_bytes()) {
                continue;
            }
            if entry.size() > MAX_UNPACKED {
                return Err(Fault::TooLarge);
            }
            let mut content = Vec::new();
            entry.read_to_end(&mut content)?;
            if (content.len() as u64) < entry.size() {
                return Err(Fault::Damaged("it ends in the middle of a member".into()));
            }
            unread += content.len();
            self.batch.push((path.to_owned(), content));
            if unread >= BATCH {
                self.flush();
                unread = 0;
            }
        }
        Ok(())
    }

    /// Reads what is unpacked.
    fn flush(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        let read = |memory: &mut Memory, (path, content): (String, Vec<u8>)| {
            let name: Arc<str> = format!("{}!{path}", self.archive).into();
            let report =
                Source { name: &name, named: false, bare_kinds: &[], read: self.read }.read_file(&content, memory);
            (path, report)
        };
        self.reports.par_extend(batch.into_par_iter().map_init(Memory::default, read));
    }

    /// All members, sorted by path. Of members with the same path the last counts: it is what unpacking would leave.
    fn into_report(mut self) -> Report<T> {
        self.reports.reverse();
        self.reports.sort_by(|a, b| walk::compare(a.0.as_bytes(), b.0.as_bytes()));
        self.reports.dedup_by(|later, kept| later.0 == kept.0);
        let mut all = Report::default();
        for (_, report) in self.reports {
            all.append(report);
        }
        all
    }
}

/// Whether a block begins a tar archive: its checksum says so. An empty archive begins with zeros.
fn is_header(block: &[u8; BLOCK]) -> bool {
    const CHECKSUM: std::ops::Range<usize> = 148..156;
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    let stored: u32 = block[CHECKSUM].iter().map(|&byte| u32::from(byte)).sum();
    let spaces = 8 * u32::from(b' ');
    sum == 0 || Header::from_byte_slice(block).cksum().is_ok_and(|wanted| wanted == sum - stored + spaces)
}
