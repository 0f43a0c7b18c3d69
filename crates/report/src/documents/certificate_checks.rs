//! Results of certificate checks (`docs/schemas/verify-certificate.json`).

use serde::Serialize;

use super::DocumentVersion;

/// Checks of certificates: output of `tempora verify-certificate --output json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CertificateChecksDocument {
    version: DocumentVersion,
    /// The model, as named on the command line.
    model: String,
    /// The size of the certificate file in bytes.
    bytes: usize,
    /// One result per certificate, in the order of the file.
    results: Vec<CertificateCheck>,
}

/// The check of one certificate.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CertificateCheck {
    /// The query of the certificate.
    pub query: String,
    /// Whether the certificate was accepted.
    pub verdict: CertificateVerdict,
    /// The position of the wrong node.
    pub node: Option<usize>,
    /// The reason of the refusal.
    pub reason: Option<String>,
    /// The number of its nodes.
    pub nodes: usize,
    /// The number of committed states between its nodes, if it was accepted.
    pub passed: Option<usize>,
    /// The number of checked transitions, if it was accepted.
    pub transitions: Option<u64>,
    /// The elapsed time in seconds.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub seconds: f64,
}

/// Whether a certificate was accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CertificateVerdict {
    /// The certificate was accepted.
    Certified,
    /// The certificate was refused.
    Refused,
}

impl CertificateChecksDocument {
    /// Returns the document with the checks of a file of this size in bytes.
    pub fn new(model: &str, bytes: usize, results: Vec<CertificateCheck>) -> CertificateChecksDocument {
        CertificateChecksDocument { version: DocumentVersion, model: model.to_owned(), bytes, results }
    }
}
