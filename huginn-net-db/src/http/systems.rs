//! Operating systems that requests and packets name.

use core::ops::BitOr;

use huginn_net_http::UserAgentSystem;

use crate::Label;

/// Whether a `User-Agent` names the system that the packets come from; displays as [`OsCheck::name`]. Two claims agree, or
/// they do not, or one is missing: there is nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OsCheck {
    /// It names one with this stack.
    Agree,
    /// It names one with another stack.
    Conflict,
    /// It names none, or the packets do not tell.
    Unknown,
}

impl OsCheck {
    /// `agree`, `conflict` or `unknown`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agree => "agree",
            Self::Conflict => "conflict",
            Self::Unknown => "unknown",
        }
    }
}

impl core::fmt::Display for OsCheck {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

/// The stacks that a label of packets names, for comparison with what a `User-Agent` names: macOS and iOS have one, Android and
/// ChromeOS have that of Linux. A label such as `Linux or another Unix` contradicts no Unix.
///
/// ```
/// use huginn_net_db::{Class, Label, NamedStacks, OsCheck, Specificity};
/// use huginn_net_http::UserAgentSystem;
///
/// let label = Label::new(Specificity::Specific, Class::Os("unix".into()), "Apple", "iOS 13 to 18 or macOS 10.14 to 15");
/// let stacks = NamedStacks::of(&label);
/// assert_eq!(stacks.check(Some(UserAgentSystem::Ios)), OsCheck::Agree);
/// assert_eq!(stacks.check(Some(UserAgentSystem::Android)), OsCheck::Conflict);
/// assert_eq!(stacks.check(None), OsCheck::Unknown);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NamedStacks {
    named: Stacks,
    /// What it names and what it leaves open.
    possible: Stacks,
}

impl NamedStacks {
    /// None of a tool: a program that builds packets itself says nothing of the system below it.
    #[must_use]
    pub fn of(label: &Label) -> Self {
        if label.is_tool() {
            return Self { named: Stacks::NONE, possible: Stacks::NONE };
        }
        let named = Stacks::named_in(&label.name);
        let left_open = Stacks::left_open_by(&label.name) | Stacks::left_open_by(&label.flavor);
        Self { named, possible: named | Stacks::named_in(&label.flavor) | left_open }
    }

    /// Whether the `User-Agent` of a request from there names one of them.
    pub fn check(self, claimed: Option<UserAgentSystem>) -> OsCheck {
        let Self { named, possible } = self;
        match claimed.and_then(stack_of) {
            Some(claimed) if named.has(claimed) => OsCheck::Agree,
            Some(claimed) if possible != Stacks::NONE && !possible.has(claimed) => OsCheck::Conflict,
            _ => OsCheck::Unknown,
        }
    }
}

/// A set of TCP stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Stacks(u8);

impl Stacks {
    const NONE: Self = Self(0);
    const WINDOWS: Self = Self(1);
    const APPLE: Self = Self(1 << 1);
    const LINUX: Self = Self(1 << 2);
    const FREE_BSD: Self = Self(1 << 3);
    const OPEN_BSD: Self = Self(1 << 4);
    const NET_BSD: Self = Self(1 << 5);
    const SUN_OS: Self = Self(1 << 6);

    const UNIX: Self = Self(
        Self::APPLE.0
            | Self::LINUX.0
            | Self::FREE_BSD.0
            | Self::OPEN_BSD.0
            | Self::NET_BSD.0
            | Self::SUN_OS.0,
    );
    const ALL: Self = Self(Self::UNIX.0 | Self::WINDOWS.0);

    /// All that a name such as `Apple or FreeBSD` names, in words of labels of this project's files and others. Their case
    /// counts: Cisco has an IOS of its own.
    fn named_in(text: &str) -> Self {
        Self::of_words(text, |word| match word {
            "Windows" => Self::WINDOWS,
            "Apple" | "Darwin" | "iOS" | "iPadOS" | "Mac" | "MacOS" | "macOS" => Self::APPLE,
            "Android" | "ChromeOS" | "Linux" => Self::LINUX,
            "FreeBSD" => Self::FREE_BSD,
            "OpenBSD" => Self::OPEN_BSD,
            "NetBSD" => Self::NET_BSD,
            "illumos" | "Solaris" | "SunOS" => Self::SUN_OS,
            _ => Self::NONE,
        })
    }

    /// All that a name or flavor such as `or another Unix` may stand for, by words that stand for more than they name:
    /// programs with gVisor's stack run on all systems.
    fn left_open_by(text: &str) -> Self {
        Self::of_words(text, |word| match word {
            "Unix" => Self::UNIX,
            "gVisor" => Self::ALL,
            _ => Self::NONE,
        })
    }

    fn of_words(text: &str, of_word: impl Fn(&str) -> Self) -> Self {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        words.map(of_word).fold(Self::NONE, Self::bitor)
    }

    const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Stacks {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

const fn stack_of(system: UserAgentSystem) -> Option<Stacks> {
    Some(match system {
        UserAgentSystem::Windows | UserAgentSystem::WindowsPhone => Stacks::WINDOWS,
        UserAgentSystem::MacOs | UserAgentSystem::Ios | UserAgentSystem::Apple => Stacks::APPLE,
        UserAgentSystem::Android | UserAgentSystem::ChromeOs | UserAgentSystem::Linux => Stacks::LINUX,
        UserAgentSystem::FreeBsd => Stacks::FREE_BSD,
        UserAgentSystem::OpenBsd => Stacks::OPEN_BSD,
        UserAgentSystem::NetBsd => Stacks::NET_BSD,
        UserAgentSystem::SunOs => Stacks::SUN_OS,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, Database, Specificity};

    fn check(claimed: UserAgentSystem, name: &str) -> OsCheck {
        check_flavor(claimed, name, "")
    }

    fn check_flavor(claimed: UserAgentSystem, name: &str, flavor: &str) -> OsCheck {
        let label = Label::new(Specificity::Specific, Class::Os("unix".into()), name, flavor);
        NamedStacks::of(&label).check(Some(claimed))
    }

    #[test]
    fn what_a_label_leaves_open_contradicts_nobody() {
        use UserAgentSystem::{FreeBsd, Linux, MacOs, Windows};
        for (claimed, name, flavor, expected) in [
            (Linux, "Linux", "or another Unix", OsCheck::Agree),
            (MacOs, "Linux", "or another Unix", OsCheck::Unknown),
            (FreeBsd, "BSD or another Unix", "", OsCheck::Unknown),
            (Windows, "Linux", "or another Unix", OsCheck::Conflict),
            (Linux, "Linux", "3.10 to 4.19, or gVisor", OsCheck::Agree),
            (Windows, "Linux", "3.10 to 4.19, or gVisor", OsCheck::Unknown),
            (Windows, "gVisor", "", OsCheck::Unknown),
        ] {
            assert_eq!(check_flavor(claimed, name, flavor), expected, "{claimed:?} {name} {flavor}");
        }
    }

    #[test]
    fn systems_are_compared_by_their_stacks() {
        use UserAgentSystem::{Android, ChromeOs, FreeBsd, Ios, Linux, MacOs, SunOs, Windows};
        for (claimed, name, expected) in [
            (Windows, "Windows", OsCheck::Agree),
            (Windows, "Linux", OsCheck::Conflict),
            (Android, "Linux", OsCheck::Agree),
            (ChromeOs, "Linux", OsCheck::Agree),
            (Linux, "Android", OsCheck::Agree),
            (Linux, "Windows", OsCheck::Conflict),
            (Ios, "Apple", OsCheck::Agree),
            (MacOs, "iOS", OsCheck::Agree),
            (MacOs, "Mac OS X", OsCheck::Agree),
            (MacOs, "FreeBSD", OsCheck::Conflict),
            (MacOs, "Apple or FreeBSD", OsCheck::Agree),
            (FreeBsd, "Apple or FreeBSD", OsCheck::Agree),
            (SunOs, "Solaris", OsCheck::Agree),
            // They name no stack.
            (Windows, "BSD or relay", OsCheck::Unknown),
            (Windows, "Printer", OsCheck::Unknown),
            (Ios, "Cisco IOS", OsCheck::Unknown),
            (Linux, "Linuxoid", OsCheck::Unknown),
        ] {
            assert_eq!(check(claimed, name), expected, "{claimed:?} {name}");
        }
    }

    #[test]
    fn tools_and_missing_claims_tell_nothing() {
        let tool = Label::new(Specificity::Specific, Class::Tool, "Linux", "");
        assert_eq!(NamedStacks::of(&tool).check(Some(UserAgentSystem::Windows)), OsCheck::Unknown);
        let system = Label::new(Specificity::Specific, Class::Os("unix".into()), "Linux", "");
        assert_eq!(NamedStacks::of(&system).check(None), OsCheck::Unknown);
    }

    /// Every word that the bundled TCP labels have for a system is understood.
    #[test]
    fn stacks_of_bundled_labels_are_known() {
        let database = Database::bundled();
        let records = database.tcp_requests().iter().chain(database.tcp_responses());
        for name in records.map(|record| record.label.name.as_str()) {
            let names_stack = ["Linux", "Windows", "Apple", "FreeBSD", "OpenBSD", "NetBSD", "Solaris"]
                .iter()
                .any(|word| name.contains(word));
            assert_eq!(Stacks::named_in(name) != Stacks::NONE, names_stack, "{name}");
        }
    }
}
