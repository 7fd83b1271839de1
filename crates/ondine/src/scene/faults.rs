//! What can be wrong with a scene.

/// How bad a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The run will go, but not as its author hopes.
    Warning,
    /// The run cannot start.
    Error,
}

/// One thing wrong with a scene: where, why, and what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// How bad.
    pub severity: Severity,
    /// The place, as events name it: `liquid.honey.viscosity.linear`, `object.floor`. Empty for the whole scene.
    pub path: String,
    /// What is wrong.
    pub reason: String,
    /// What to do.
    pub remedy: String,
}

impl Fault {
    /// A fault that stops the run.
    pub fn error(path: impl Into<String>, reason: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { severity: Severity::Error, path: path.into(), reason: reason.into(), remedy: remedy.into() }
    }

    /// A fault worth telling.
    pub fn warning(path: impl Into<String>, reason: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(path, reason, remedy) }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.path.is_empty() {
            write!(f, "{} ({})", self.reason, self.remedy)
        } else {
            write!(f, "{}: {} ({})", self.path, self.reason, self.remedy)
        }
    }
}

impl std::error::Error for Fault {}
