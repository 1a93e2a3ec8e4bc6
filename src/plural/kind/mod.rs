//! The kinds that this release reconciles: one file each.

/// Catalogs.
pub mod catalog;
/// Git repositories.
pub mod git_repository;
/// Notification sinks.
pub mod notification_sink;
/// PR automations.
pub mod pr_automation;
/// Projects.
pub mod project;
/// Service accounts.
pub mod service_account;
/// Service contexts.
pub mod service_context;
