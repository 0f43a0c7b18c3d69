//! Certificates of a file after they were checked (`docs/schemas/verify-certificate.json`).

use serde::Serialize;

use super::DocumentVersion;

/// Checks of certificates: output of `tempora verify-certificate --output json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CertificateChecksDocument {
    version: DocumentVersion,
    /// The model, as it was named on the command line.
    model: String,
    /// The size of the file of certificates.
    bytes: usize,
    /// One for each certificate of the file, in their order.
    results: Vec<CertificateCheck>,
}

/// The check of one certificate.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CertificateCheck {
    /// The query that it is for.
    pub query: String,
    /// Whether it was accepted.
    pub verdict: CertificateVerdict,
    /// The node at which it is wrong.
    pub node: Option<usize>,
    /// Why it was refused.
    pub reason: Option<String>,
    /// The number of its nodes.
    pub nodes: usize,
    /// The number of committed states between its nodes, if it was accepted.
    pub passed: Option<usize>,
    /// The number of transitions that were followed, if it was accepted.
    pub transitions: Option<u64>,
    /// The time that it took.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub seconds: f64,
}

/// Whether a certificate was accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CertificateVerdict {
    /// It was accepted.
    Certified,
    /// It was not.
    Refused,
}

impl CertificateChecksDocument {
    /// The checks of a file of this size in bytes.
    pub fn new(model: &str, bytes: usize, results: Vec<CertificateCheck>) -> CertificateChecksDocument {
        CertificateChecksDocument { version: DocumentVersion, model: model.to_owned(), bytes, results }
    }
}
