use std::borrow::Cow;
use std::io::IsTerminal;

use colored::Colorize;

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR says otherwise.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What a piece of text is, which decides how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The object that is spoken of.
    Title,
    /// Everything else.
    Plain,
    /// A value in effect.
    Value,
    /// Good: up to date.
    Good,
    /// Deserves attention: failing, without effect.
    Warning,
    /// Needs attention: halted, invalid, an error.
    Bad,
    /// Only context: places, who says so.
    Context,
}

/// How text is to look on one stream: colours and the width to wrap at. Decided once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether escape sequences for colour are written.
    pub color: bool,
    /// Columns to wrap at; `None` off a terminal, where nothing wraps.
    pub width: Option<usize>,
}

impl Style {
    /// No colour, no wrapping.
    pub const PLAIN: Style = Style { color: false, width: None };

    /// `text` as it looks in a role.
    pub fn paint<'t>(&self, role: Role, text: &'t str) -> Cow<'t, str> {
        if !self.color || text.is_empty() || role == Role::Plain {
            return Cow::Borrowed(text);
        }
        let painted = match role {
            Role::Title => text.bold(),
            Role::Plain => text.normal(),
            Role::Value => text.cyan(),
            Role::Good => text.green(),
            Role::Warning => text.yellow(),
            Role::Bad => text.red().bold(),
            Role::Context => text.dimmed(),
        };
        Cow::Owned(painted.to_string())
    }
}

/// What the two output streams are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terminal {
    /// How standard output looks.
    pub out: Style,
    /// How standard error looks.
    pub err: Style,
}

/// Narrower terminals are treated as this wide: below, wrapped columns are worse than the terminal's own wrapping.
const LEAST_WIDTH: usize = 50;

impl Terminal {
    /// Looks at both streams and the environment. `--color` goes before a non-empty `NO_COLOR`, that before
    /// `CLICOLOR_FORCE` (not `0`), that before `CLICOLOR=0` and `TERM=dumb`, those before whether the stream is a
    /// terminal; each stream for itself.
    pub fn detect(choice: ColorChoice) -> Terminal {
        let out = std::io::stdout();
        let err = std::io::stderr();
        let width = |terminal: Option<(terminal_size::Width, terminal_size::Height)>| {
            terminal.map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0)
        };
        let terminal = Terminal {
            out: style(choice, out.is_terminal(), width(terminal_size::terminal_size_of(&out))),
            err: style(choice, err.is_terminal(), width(terminal_size::terminal_size_of(&err))),
        };
        // The decision is made per stream above; colored on its own would look at standard output only.
        colored::control::set_override(true);
        terminal
    }
}

fn style(choice: ColorChoice, is_terminal: bool, width: Option<usize>) -> Style {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let color = match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if set("NO_COLOR").is_some() => false,
        ColorChoice::Auto if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
        ColorChoice::Auto if set("CLICOLOR").is_some_and(|value| value == "0") => false,
        ColorChoice::Auto if set("TERM").is_some_and(|value| value == "dumb") => false,
        ColorChoice::Auto => is_terminal,
    };
    Style { color, width: is_terminal.then(|| width.unwrap_or(80).max(LEAST_WIDTH)) }
}
