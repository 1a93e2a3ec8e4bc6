//! What is printed of an object of the Plural Console.

mod json;
mod text;
pub(super) mod words;

pub(super) use json::Object;
pub(super) use text::block;
