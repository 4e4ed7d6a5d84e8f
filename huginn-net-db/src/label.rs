//! What a signature says about the sender.

use core::fmt;

/// The label of a signature, `type:class:name:flavor` in a file.
///
/// Displays as name and flavor, for example `Linux 6.16 or newer`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Label {
    /// Whether the signature names one product or a whole family.
    pub specificity: Specificity,
    /// What kind of software it is.
    pub class: Class,
    /// For example `Linux`; never empty.
    pub name: String,
    /// For example `6.16 or newer`; may be empty.
    pub flavor: String,
}

impl Label {
    /// A label of these parts.
    pub fn new(
        specificity: Specificity,
        class: Class,
        name: impl Into<String>,
        flavor: impl Into<String>,
    ) -> Self {
        Self { specificity, class, name: name.into(), flavor: flavor.into() }
    }

    /// Whether it names a program that builds packets itself, not an operating system.
    #[must_use]
    pub fn is_tool(&self) -> bool {
        self.class == Class::Tool
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if !self.flavor.is_empty() {
            write!(f, " {}", self.flavor)?;
        }
        Ok(())
    }
}

/// `s` or `g` of a label; p0f 3 has no other letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Specificity {
    /// Names one product or version range.
    Specific,
    /// A last resort for a whole family.
    Generic,
}

impl Specificity {
    /// `specific` or `generic`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Specific => "specific",
            Self::Generic => "generic",
        }
    }

    /// `s` or `g`, as a label starts.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Specific => 's',
            Self::Generic => 'g',
        }
    }
}

/// Class of a label. Whatever is no program that stands for itself has a class by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// An operating system of this class, as the file's `classes` line spells it, for example `unix`.
    Os(String),
    /// `!`: a program that builds packets or requests itself, on any system.
    Tool,
}

impl Class {
    /// The class as it is written in a label.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Os(name) => name,
            Self::Tool => "!",
        }
    }
}
