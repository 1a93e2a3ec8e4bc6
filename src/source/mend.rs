//! What libyaml takes and the parser does not, changed into what both take. A change never moves anything: it puts
//! spaces in the place of as many bytes, so that all places stay right.

use memchr::memchr2;

/// A change of the text of a piece; all places are in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mend {
    /// Tabs indent the inside of a flow collection, from the tab at `from` on. At `since`, a place between two tokens,
    /// `open` flow collections are open.
    FlowTabs { since: usize, open: u32, from: usize },
    /// A comment touches the token in front of it.
    Comment { from: usize },
}

impl Mend {
    /// The text with the change.
    pub fn apply(self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        match self {
            Mend::FlowTabs { since, open, from } => {
                let mut flow = Flow::at(&bytes, since, open, from);
                let (mut at, mut leading) = (from, true);
                while let Some(&byte) = bytes.get(at).filter(|_| flow.open > 0) {
                    if leading && byte == b'\t' {
                        bytes[at] = b' ';
                    }
                    let next = flow.step(&bytes, at);
                    leading = matches!(byte, b'\n' | b'\r') || (leading && matches!(byte, b'\t' | b' '));
                    at = next;
                }
            }
            Mend::Comment { from } => {
                let rest = bytes.get_mut(from..).unwrap_or_default();
                let end = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                rest[..end].fill(b' ');
            }
        }
        // Whole characters became spaces: it is as good UTF-8 as it was.
        String::from_utf8(bytes).unwrap_or_default()
    }
}

/// As much of YAML's grammar as it takes to tell how many flow collections are open at a place that the parser has
/// scanned and not yet told of.
pub(super) struct Flow {
    /// How many are open.
    pub open: u32,
    quote: Option<u8>,
    /// Whether a token may begin: only there does a quote quote, and outside of flow a bracket open something.
    fresh: bool,
}

impl Flow {
    /// Goes from `since`, a place between two tokens where `open` are open, to `until`.
    pub fn at(bytes: &[u8], since: usize, open: u32, until: usize) -> Flow {
        let mut flow = Flow { open, quote: None, fresh: true };
        let (bytes, mut at) = (bytes.get(..until).unwrap_or(bytes), since);
        while at < bytes.len() {
            if flow.begins_block(bytes[at]) {
                return Flow { open: 0, ..flow };
            }
            at = flow.step(bytes, at);
        }
        flow
    }

    /// Whether a block scalar begins, in which nothing means anything.
    fn begins_block(&self, byte: u8) -> bool {
        self.fresh && self.open == 0 && self.quote.is_none() && matches!(byte, b'|' | b'>')
    }

    /// Goes over the byte at `at`, or over the token or comment that begins there; where to go on.
    fn step(&mut self, bytes: &[u8], at: usize) -> usize {
        let (byte, next) = (bytes[at], bytes.get(at + 1).copied());
        let before = at.checked_sub(1).map(|before| bytes[before]);
        if let Some(quote) = self.quote {
            match (byte, quote) {
                (b'\\', b'"') => return at + 2,
                (b'\'', b'\'') if next == Some(b'\'') => return at + 2,
                _ if byte == quote => (self.quote, self.fresh) = (None, true),
                _ => {}
            }
            return at + 1;
        }
        let blank = |byte: Option<u8>| byte.is_none_or(|byte| byte.is_ascii_whitespace());
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'#' if blank(before) || before.is_some_and(|before| b"\"'[]{},".contains(&before)) => {
                return at + memchr2(b'\n', b'\r', &bytes[at..]).unwrap_or(bytes.len() - at);
            }
            b'"' | b'\'' if self.fresh => self.quote = Some(byte),
            b'[' | b'{' if self.fresh || self.open > 0 => (self.open, self.fresh) = (self.open + 1, true),
            b']' | b'}' if self.open > 0 => (self.open, self.fresh) = (self.open - 1, true),
            b',' if self.open > 0 => self.fresh = true,
            b':' if blank(next)
                || self.fresh
                || (self.open > 0 && next.is_some_and(|next| b",[]{}".contains(&next))) =>
            {
                self.fresh = true;
            }
            b'-' | b'?' if self.fresh && blank(next) => {}
            b'&' | b'!' if self.fresh => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || (self.open > 0 && b",[]{}".contains(byte));
                return at + bytes[at..].iter().position(ends).unwrap_or(bytes.len() - at);
            }
            _ => self.fresh = false,
        }
        at + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(text: &str) -> u32 {
        Flow::at(text.as_bytes(), 0, 0, text.len()).open
    }

    #[test]
    fn brackets_count_where_they_open_something() {
        for (text, expected) in [
            ("- {\n", 1),
            ("a: [[ {", 3),
            ("&a !!map {", 1),
            ("a: b [", 0),
            ("a: it's [", 0),
            ("a: 'it''s [' # [\n", 0),
            ("{a: it's, b: [", 2),
            ("{\"a\":{", 2),
            ("[]# {\n{", 1),
            ("a: |\n  [", 0),
            ("[a, b]\n- [", 1),
            ("{a: \"}\\\"}\", ", 1),
        ] {
            assert_eq!(open(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_change_moves_nothing() {
        let text = "a: {\n\tb: '\t\n\t',\n\tc: [\n\t]}\n\td: 1# é\n";
        let mend = Mend::FlowTabs { since: 2, open: 0, from: 5 };
        assert_eq!(mend.apply(text), "a: {\n b: '\t\n ',\n c: [\n ]}\n\td: 1# é\n");
        let from = text.find('#').unwrap_or_default();
        assert_eq!(Mend::Comment { from }.apply(text).split_off(from), "    \n");
    }
}
