//! Weaknesses of the Common Weakness Enumeration (CWE) that codes report.

use crate::Code;

impl Code {
    /// Returns the number of the CWE entry that a finding is an instance of; `None` for rules that are not about
    /// security.
    pub fn cwe(self) -> Option<u16> {
        use Code::*;
        Some(match self {
            SecurityDefaultAdmin => 250,
            SecurityEmptyPassword => 258,
            SecurityExposedSecret => 532,
            SecurityHardcodedPassword => 259,
            SecurityHardcodedSecret => 798,
            SecurityOpenBind => 1327,
            SecurityPipeToShell => 494,
            SecurityPlainHttp => 319,
            SecurityPrivateKey => 321,
            SecurityReadableKey => 732,
            SecurityShellInjection => 78,
            SecuritySuspiciousComment => 546,
            SecurityUnsignedRepository => 347,
            SecurityUnverifiedDownload => 353,
            SecurityWeakCipher => 327,
            SecurityWeakHash => 328,
            SecurityWorldWritable => 732,
            CaseWithoutDefault => 478,
            SensitiveDefault => 798,
            _ => return None,
        })
    }

    /// Returns true for the rules of the group `security`.
    pub fn is_security(self) -> bool {
        self.as_str().starts_with("security-")
    }
}
