use super::Place;

/// How bad a [`Diagnostic`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Info,
    /// Works, but not as its author probably thinks.
    Warning,
    /// Does not work: unreadable, refused by the API server, or without the effect it was written for.
    Error,
}

impl Severity {
    /// The word for it in JSON and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// What a [`Diagnostic`] is about: a stable name that scripts may match on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// A path that cannot be opened or read.
    Unreadable,
    /// A path that holds no manifests.
    NoManifests,
    /// Not UTF-8, or UTF-16.
    Encoding,
    /// A tab where YAML wants spaces.
    TabIndentation,
    /// Not YAML or JSON.
    Syntax,
    /// A control character, which YAML forbids.
    ControlCharacter,
    /// An alias of an anchor that the document does not have.
    UnknownAnchor,
    /// A value that YAML knows and JSON does not (`.nan`), or one that does not fit its tag.
    NoJsonValue,
    /// Documents behind a `...`, which kubectl does not read.
    IgnoredDocument,
    /// The same key twice in one mapping.
    DuplicateKey,
    /// Aliases that expand beyond every sensible size.
    AliasBomb,
    /// Nested deeper than the reader follows.
    TooDeep,
    /// A merge (`<<`) of something that is not a mapping.
    BadMerge,
    /// A key that is not a scalar.
    BadKey,
    /// A template (Helm, Liquid …) that must be rendered first.
    Template,
    /// YAML that is not a Kubernetes object.
    NotAnObject,
    /// An archive that is damaged or too large.
    Archive,
    /// An annotation or label whose value is not a string.
    NotAString,
    /// An annotation or label whose value is null.
    NullValue,
    /// A ceiling annotation whose value the controller refuses.
    InvalidCeiling,
    /// A ceiling annotation that has no effect.
    IneffectiveCeiling,
    /// A ceiling that makes retries more frequent than they are without it.
    FrequentCeiling,
    /// A drift interval whose value the controller refuses.
    InvalidDriftInterval,
    /// A controller override that has no effect.
    IneffectiveOverride,
    /// A deletion policy that has no effect.
    IneffectiveDeletionPolicy,
    /// A key of Config Connector's family that this version does not know, or one that is probably misspelt.
    UnknownKey,
    /// A kind that no controller reconciles.
    NoController,
    /// An actuation mode that is not one of the settled values.
    UnknownActuationMode,
    /// Settings among the inputs (contexts) that contradict each other or are not read.
    Context,
    /// An object without a name.
    NoName,
    /// A timestamp or a number in the status or metadata that cannot be read.
    UnreadableField,
    /// A field of a spec whose type the API server refuses.
    RefusedField,
    /// A field that the CRD requires and that is not there.
    MissingField,
    /// A field that the CRD does not have.
    UnknownField,
    /// A reconciliation interval that does something else than it says.
    InvalidInterval,
    /// A kind that this version does not know.
    UnknownKind,
    /// A version of an API group that this version does not know.
    UnknownVersion,
    /// Two objects for one remote.
    SameRemote,
    /// Something that the controller trips over.
    Hazard,
    /// The Console is not there, or refuses the credentials.
    Unavailable,
    /// A step of an end-to-end script that cannot be played.
    Scenario,
    /// An expectation that cannot be compared.
    Expectation,
    /// Something that came otherwise than expected.
    Difference,
}

impl Code {
    /// The name in JSON and on the screen: lower case, words joined by `-`.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::Unreadable => "unreadable",
            Code::NoManifests => "no-manifests",
            Code::Encoding => "encoding",
            Code::TabIndentation => "tab-indentation",
            Code::Syntax => "syntax",
            Code::ControlCharacter => "control-character",
            Code::UnknownAnchor => "unknown-anchor",
            Code::NoJsonValue => "no-json-value",
            Code::IgnoredDocument => "ignored-document",
            Code::DuplicateKey => "duplicate-key",
            Code::AliasBomb => "alias-bomb",
            Code::TooDeep => "too-deep",
            Code::BadMerge => "bad-merge",
            Code::BadKey => "bad-key",
            Code::Template => "template",
            Code::NotAnObject => "not-an-object",
            Code::Archive => "archive",
            Code::NotAString => "not-a-string",
            Code::NullValue => "null-value",
            Code::InvalidCeiling => "invalid-ceiling",
            Code::IneffectiveCeiling => "ineffective-ceiling",
            Code::FrequentCeiling => "frequent-ceiling",
            Code::InvalidDriftInterval => "invalid-drift-interval",
            Code::IneffectiveOverride => "ineffective-override",
            Code::IneffectiveDeletionPolicy => "ineffective-deletion-policy",
            Code::UnknownKey => "unknown-key",
            Code::NoController => "no-controller",
            Code::UnknownActuationMode => "unknown-actuation-mode",
            Code::Context => "context",
            Code::NoName => "no-name",
            Code::UnreadableField => "unreadable-field",
            Code::RefusedField => "refused-field",
            Code::MissingField => "missing-field",
            Code::UnknownField => "unknown-field",
            Code::InvalidInterval => "invalid-interval",
            Code::UnknownKind => "unknown-kind",
            Code::UnknownVersion => "unknown-version",
            Code::SameRemote => "same-remote",
            Code::Hazard => "hazard",
            Code::Unavailable => "console-unavailable",
            Code::Scenario => "scenario",
            Code::Expectation => "expectation",
            Code::Difference => "difference",
        }
    }
}

/// One complaint, from whatever part of the program: what, how bad, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What it is about.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// Where it stands, if it stands anywhere.
    pub place: Option<Place>,
    /// One sentence, without the place.
    pub message: String,
    /// What to do about it, if there is something to do.
    pub fix: Option<String>,
}

impl Diagnostic {
    /// A complaint at a place.
    pub fn new(code: Code, severity: Severity, place: Place, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code, severity, place: Some(place), message: message.into(), fix: None }
    }

    /// The same with advice.
    pub fn with_fix(mut self, fix: impl Into<String>) -> Diagnostic {
        self.fix = Some(fix.into());
        self
    }
}
