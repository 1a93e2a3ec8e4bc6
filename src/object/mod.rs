//! What an object is, whatever system it belongs to: a tree that knows where everything stands, an identity,
//! metadata, conditions; and [`Diagnostic`], the one form in which anything is complained about.

mod diagnostic;
mod metadata;
mod place;
mod secret;
mod tree;

pub use diagnostic::{Code, Diagnostic, Severity};
pub use metadata::{Annotation, AnnotationValue, Condition, Interest, Metadata, Ref, condition, condition_status};
pub use place::{Place, Pos};
pub use secret::{masked_text, masked_url};
pub use tree::{Entry, Node, NodeKind, Scalar, ScalarStyle, Tree};
