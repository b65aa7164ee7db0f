//! Where credentials come from.

mod credentials;

pub use credentials::{Access, Credentials, CredentialsError, CredentialsPlace, CredentialsWarning};
pub(crate) use nbrevive_requests::Scrubber;
pub use nbrevive_requests::Secret;
