use std::fmt;
use std::sync::Arc;

/// A position in a text: line and column, both counted from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// Where something stands: a file as the user named it (or `<stdin>`, or `archive.tgz!member`), line and column.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file as it should be shown; shared by all places in it.
    pub file: Arc<str>,
    /// Line, from 1; 0 when the complaint is about the file as a whole.
    pub line: u32,
    /// Column in characters, from 1; 0 when the complaint is about the file as a whole.
    pub column: u32,
}

impl Place {
    /// The place at `pos` of `file`.
    pub fn new(file: &Arc<str>, pos: Pos) -> Place {
        Place { file: Arc::clone(file), line: pos.line, column: pos.column }
    }

    /// The file as a whole, without a line.
    pub fn file(file: &Arc<str>) -> Place {
        Place { file: Arc::clone(file), line: 0, column: 0 }
    }
}

/// `file:line:column`, or just the file where the whole file is meant. Nothing is escaped: that is the printer's work.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 { f.write_str(&self.file) } else { write!(f, "{}:{}:{}", self.file, self.line, self.column) }
    }
}
