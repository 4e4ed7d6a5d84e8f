//! What a `User-Agent` claims.

use core::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;

/// What a `User-Agent` says of program and system, by the words in it. All of it is a claim.
///
/// Browsers freeze parts of theirs: `Windows NT 10.0`, `Mac OS X 10_15_7` and `Android 10; K` are written whatever the
/// version is, and so give none.
///
/// ```
/// use huginn_net_http::{Device, Engine, UserAgent, UserAgentSystem};
///
/// let text = b"Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
///              Version/17.2 Mobile/15E148 Safari/604.1";
/// let seen = UserAgent::parse(text);
/// assert_eq!((seen.family, seen.version), (&b"Safari"[..], Some(&b"17.2"[..])));
/// assert_eq!((seen.system, seen.system_version), (Some(UserAgentSystem::Ios), Some(&b"17_2"[..])));
/// assert_eq!((seen.engine, seen.device), (Some(Engine::WebKit), Some(Device::Mobile)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct UserAgent<'a> {
    /// The program: a browser by its usual name, else the first product. Empty if there is none.
    pub family: &'a [u8],
    /// Its version as written.
    pub version: Option<&'a [u8]>,
    /// The operating system; `None` if it names several, but for those that one system names together.
    pub system: Option<UserAgentSystem>,
    /// Its version as written, if it is one.
    pub system_version: Option<&'a [u8]>,
    /// What renders pages.
    pub engine: Option<Engine>,
    /// The form of the device, of browsers.
    pub device: Option<Device>,
    /// It says that it is a crawler or the like.
    pub is_bot: bool,
    /// It says that it has no window.
    pub is_headless: bool,
}

/// An operating system that a `User-Agent` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UserAgentSystem {
    /// Windows of any kind but for telephones.
    Windows,
    /// Windows for telephones.
    WindowsPhone,
    /// macOS.
    MacOs,
    /// iOS and iPadOS.
    Ios,
    /// macOS, iOS or another system of Apple: what programs write that name the kernel, Darwin, alone.
    Apple,
    /// Android.
    Android,
    /// ChromeOS.
    ChromeOs,
    /// Linux that is neither Android nor ChromeOS.
    Linux,
    /// FreeBSD.
    FreeBsd,
    /// OpenBSD.
    OpenBsd,
    /// NetBSD.
    NetBsd,
    /// Solaris and its successors.
    SunOs,
}

impl UserAgentSystem {
    /// Its usual name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Windows => "Windows",
            Self::WindowsPhone => "Windows Phone",
            Self::MacOs => "macOS",
            Self::Ios => "iOS",
            Self::Apple => "Apple",
            Self::Android => "Android",
            Self::ChromeOs => "ChromeOS",
            Self::Linux => "Linux",
            Self::FreeBsd => "FreeBSD",
            Self::OpenBsd => "OpenBSD",
            Self::NetBsd => "NetBSD",
            Self::SunOs => "SunOS",
        }
    }

    /// What stands for all systems with the same kernel, which are named together.
    const fn kernel(self) -> Self {
        match self {
            Self::WindowsPhone => Self::Windows,
            Self::MacOs | Self::Ios => Self::Apple,
            Self::Android | Self::ChromeOs => Self::Linux,
            other => other,
        }
    }
}

/// What renders the pages of a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// Of Chromium.
    Blink,
    /// Of Firefox.
    Gecko,
    /// Of Safari, and of all browsers on iOS.
    WebKit,
    /// Of Internet Explorer.
    Trident,
    /// Of Opera before version 15.
    Presto,
    /// Of Edge before version 79.
    EdgeHtml,
}

/// The form of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Device {
    /// A computer.
    Desktop,
    /// A telephone.
    Mobile,
    /// A tablet.
    Tablet,
}

/// Words and what they mean, where they stand alone. The first that is there counts, as later ones are in the same texts:
/// Android names Linux, and programs on iOS name Darwin.
const SYSTEMS: &[(&str, UserAgentSystem)] = &[
    ("Windows Phone", UserAgentSystem::WindowsPhone),
    ("Windows", UserAgentSystem::Windows),
    ("WindowsNT", UserAgentSystem::Windows),
    ("CrOS", UserAgentSystem::ChromeOs),
    ("iPhone", UserAgentSystem::Ios),
    ("iPhoneOS", UserAgentSystem::Ios),
    ("iPad", UserAgentSystem::Ios),
    ("iPadOS", UserAgentSystem::Ios),
    ("iPod", UserAgentSystem::Ios),
    ("Android", UserAgentSystem::Android),
    ("Mac OS X", UserAgentSystem::MacOs),
    ("Macintosh", UserAgentSystem::MacOs),
    ("Darwin/", UserAgentSystem::Apple),
    ("FreeBSD", UserAgentSystem::FreeBsd),
    ("OpenBSD", UserAgentSystem::OpenBsd),
    ("NetBSD", UserAgentSystem::NetBsd),
    ("SunOS", UserAgentSystem::SunOs),
    ("Linux", UserAgentSystem::Linux),
    ("linux", UserAgentSystem::Linux),
];

/// What stands before the version of a system, and versions that are written whatever it is.
const SYSTEM_VERSIONS: &[(UserAgentSystem, &str, &[&str])] = &[
    (UserAgentSystem::WindowsPhone, "Windows Phone ", &[]),
    (UserAgentSystem::Windows, "Windows NT ", &["10.0"]),
    (UserAgentSystem::Ios, " OS ", &[]),
    (UserAgentSystem::Android, "Android ", &[]),
    (UserAgentSystem::MacOs, "Mac OS X ", &["10_15_7", "10.15"]),
    (UserAgentSystem::Apple, "Darwin/", &[]),
];

/// What stands before the version of a browser. The first that is there counts: most name others behind themselves.
const BROWSERS: &[(&str, &str)] = &[
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("Edge/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("YaBrowser/", "Yandex Browser"),
    ("Vivaldi/", "Vivaldi"),
    ("UCBrowser/", "UC Browser"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("HeadlessChrome/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Firefox/", "Firefox"),
    ("MSIE ", "Internet Explorer"),
    ("Trident/7.0; rv:", "Internet Explorer"),
];

/// The first that is there counts: EdgeHTML names Blink, that names WebKit, and that names Gecko.
const ENGINES: &[(&str, Engine)] = &[
    ("Trident/", Engine::Trident),
    ("MSIE ", Engine::Trident),
    ("Presto/", Engine::Presto),
    ("Edge/", Engine::EdgeHtml),
    ("Chrome/", Engine::Blink),
    ("Chromium/", Engine::Blink),
    ("AppleWebKit/", Engine::WebKit),
    ("Gecko/", Engine::Gecko),
];

const BOTS: &[&str] =
    &["bot/", "Bot/", "bot;", "Bot;", "bot)", "crawler", "Crawler", "spider", "Spider", "+http"];

impl<'a> UserAgent<'a> {
    /// Reads the value of a field `User-Agent`.
    #[must_use]
    pub fn parse(text: &'a [u8]) -> Self {
        let words = Words::of(text);
        let is_bot = words.first_of(BOTS_AT, BOTS).is_some();
        let is_browser = text.starts_with(b"Mozilla/") || text.starts_with(b"Opera/");
        let system = words.system();
        let (family, version) = match is_browser && !is_bot {
            true => browser(words, text).unwrap_or_else(|| first_product(text)),
            false => first_product(match is_bot && is_browser {
                true => text.get(bot_start(text)..).unwrap_or_default(),
                false => text,
            }),
        };
        Self {
            family,
            version,
            system,
            system_version: system.and_then(|system| system_version(system, text)),
            engine: words.first_of(ENGINES_AT, ENGINES).map(|&(_, engine)| engine),
            device: system.filter(|_| is_browser && !is_bot).map(|system| device(system, text)),
            is_bot,
            is_headless: has(text, "Headless"),
        }
    }
}

/// Where the words of each table stand among all of them.
const BOTS_AT: usize = 0;
const SYSTEMS_AT: usize = BOTS_AT + BOTS.len();
const BROWSERS_AT: usize = SYSTEMS_AT + SYSTEMS.len();
const ENGINES_AT: usize = BROWSERS_AT + BROWSERS.len();
/// The words of systems.
const OF_SYSTEMS: Range<usize> = SYSTEMS_AT..BROWSERS_AT;

/// Which words of the tables are in a text: a bit for each. All are looked for in one pass, as there are many.
#[derive(Clone, Copy)]
struct Words(u64);

const _: () = assert!(ENGINES_AT + ENGINES.len() <= 64);

impl Words {
    fn of(text: &[u8]) -> Self {
        /// All words, and for each byte the bits of those that begin with it.
        static ALL: LazyLock<(Vec<&[u8]>, [u64; 256])> = LazyLock::new(|| {
            let words = BOTS.iter().chain(SYSTEMS.iter().map(|(word, _)| word));
            let words = words.chain(BROWSERS.iter().map(|(word, _)| word));
            let words: Vec<_> =
                words.chain(ENGINES.iter().map(|(word, _)| word)).map(|word| word.as_bytes()).collect();
            let mut by_first = [0; 256];
            for (at, word) in words.iter().enumerate() {
                let first = word.first().and_then(|&first| by_first.get_mut(usize::from(first)));
                first.into_iter().for_each(|bits| *bits |= 1 << at);
            }
            (words, by_first)
        });

        let (words, by_first) = &*ALL;
        let mut found = 0;
        let mut token = Token::default();
        for (at, &byte) in text.iter().enumerate() {
            // Those that have been found need not be found again.
            let mut candidates = by_first.get(usize::from(byte)).map_or(0, |bits| bits & !found);
            while candidates != 0 {
                let word = candidates.trailing_zeros() as usize;
                candidates &= candidates - 1;
                let (before, rest) = text.split_at_checked(at).unwrap_or_default();
                let rest = words.get(word).and_then(|word| rest.strip_prefix(*word));
                if rest.is_some_and(|rest| !OF_SYSTEMS.contains(&word) || token.names_system(before, rest)) {
                    found |= 1 << word;
                }
            }
            token.push(byte);
        }
        Self(found)
    }

    /// The system, if all words are of one.
    fn system(self) -> Option<UserAgentSystem> {
        let system = self.first_of(SYSTEMS_AT, SYSTEMS)?.1;
        // This one names Android and iOS as well.
        let is_only = |other: UserAgentSystem| {
            system == UserAgentSystem::WindowsPhone || other.kernel() == system.kernel()
        };
        let mut named = SYSTEMS.iter().zip(SYSTEMS_AT..).filter(|&(_, at)| self.0 >> at & 1 == 1);
        named.all(|(&(_, other), _)| is_only(other)).then_some(system)
    }

    /// The first item of a table whose word is there.
    fn first_of<T>(self, table_at: usize, table: &'static [T]) -> Option<&'static T> {
        table.get((self.0 >> table_at).trailing_zeros() as usize)
    }
}

/// What has been read of a token, which ends at a blank, a bracket, a comma or a semicolon. It is kept while a text is read, so that
/// no text makes it read again.
#[derive(Default)]
struct Token {
    last: [u8; 2],
    has_dot: bool,
    has_slash: bool,
    /// It has `://`, or a dot before its first slash, as `example.com/` and unlike `curl/8.4.0`.
    is_address: bool,
}

impl Token {
    fn push(&mut self, byte: u8) {
        match byte {
            b' ' | b'\t' | b';' | b',' | b'(' | b')' => *self = Self::default(),
            b'.' => self.has_dot |= !self.has_slash,
            b'/' => {
                self.is_address |= self.has_dot || self.last == *b":/";
                self.has_slash = true;
            }
            _ => {}
        }
        self.last = [self.last[1], byte];
    }

    /// Whether a word behind this, and between these, is the name of a system, and not a part of another word, of an address, or
    /// what something is like: iPhones are "like Mac OS X".
    fn names_system(&self, before: &[u8], rest: &[u8]) -> bool {
        let begins = !before.last().is_some_and(u8::is_ascii_alphanumeric);
        let ends = !rest.first().is_some_and(u8::is_ascii_alphabetic);
        begins && ends && !self.is_address && !before.ends_with(b"like ")
    }
}

fn has(text: &[u8], word: &str) -> bool {
    memmem::find(text, word.as_bytes()).is_some()
}

/// The digits, dots and underscores that follow a word. `None` without a digit.
fn version_after<'a>(text: &'a [u8], word: &str) -> Option<&'a [u8]> {
    let start = memmem::find(text, word.as_bytes())?.saturating_add(word.len());
    version_at(text.get(start..)?)
}

fn version_at(text: &[u8]) -> Option<&[u8]> {
    let is_version = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'_');
    let len = text.iter().position(|byte| !is_version(byte)).unwrap_or(text.len());
    text.get(..len).filter(|version| version.first().is_some_and(u8::is_ascii_digit))
}

fn system_version(system: UserAgentSystem, text: &[u8]) -> Option<&[u8]> {
    let (_, word, frozen) = SYSTEM_VERSIONS.iter().find(|(of, ..)| *of == system)?;
    let version = version_after(text, word)?;
    let is_reduced = frozen.iter().any(|frozen| frozen.as_bytes() == version) || has(text, "Android 10; K)");
    (!is_reduced).then_some(version)
}

fn browser(words: Words, text: &[u8]) -> Option<(&'static [u8], Option<&[u8]>)> {
    let named = words.first_of(BROWSERS_AT, BROWSERS);
    if let Some((word, family)) = named {
        return Some((family.as_bytes(), version_after(text, word)));
    }
    // Others on WebKit name both as well, with a product of their own between.
    let is_safari = has(text, "Version/") && has(text, "Safari/") && !has(text, "Android");
    is_safari.then(|| (&b"Safari"[..], version_after(text, "Version/")))
}

/// A name and the version after its slash.
fn first_product(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    let end = text.iter().position(|byte| b" /;()".contains(byte)).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end).unwrap_or_default();
    let version = rest.strip_prefix(b"/").map(|rest| {
        let end = rest.iter().position(|byte| b" ;()".contains(byte)).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    });
    (name, version.filter(|version| !version.is_empty()))
}

/// Where the name of a crawler begins that calls itself `Mozilla/5.0 (compatible; Name/1.0; …)`, else 0.
fn bot_start(text: &[u8]) -> usize {
    const BEFORE: &[u8] = b"compatible; ";
    memmem::find(text, BEFORE).map_or(0, |at| at.saturating_add(BEFORE.len()))
}

fn device(system: UserAgentSystem, text: &[u8]) -> Device {
    match system {
        UserAgentSystem::Ios if has(text, "iPad") => Device::Tablet,
        UserAgentSystem::Ios | UserAgentSystem::WindowsPhone => Device::Mobile,
        _ if has(text, "Mobile") => Device::Mobile,
        UserAgentSystem::Android => Device::Tablet,
        _ if has(text, "Tablet;") => Device::Tablet,
        _ => Device::Desktop,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_wherever_it_stands() {
        let systems = SYSTEMS.iter().map(|(word, _)| *word);
        let browsers = BROWSERS.iter().map(|(word, _)| *word);
        let engines = ENGINES.iter().map(|(word, _)| *word);
        let words: Vec<_> = BOTS.iter().copied().chain(systems).chain(browsers).chain(engines).collect();
        for (at, word) in words.iter().enumerate() {
            // A system is named where its word stands alone.
            let others = if OF_SYSTEMS.contains(&at) {
                [format!("x ({word}; y"), format!("x{word} {word}")]
            } else {
                [format!("x{word}"), format!("{word}{word}y")]
            };
            for text in others.into_iter().chain([word.to_string()]) {
                assert_eq!(Words::of(text.as_bytes()).0 >> at & 1, 1, "{text}");
            }
            let cut = word.get(..word.len() - 1).unwrap();
            assert_eq!(Words::of(cut.as_bytes()).0 >> at & 1, 0, "{cut}");
        }
        let all = words.join(" ");
        let found = words.iter().map(|word| memmem::find(all.as_bytes(), word.as_bytes()).is_some());
        assert_eq!(Words::of(all.as_bytes()).0.count_ones() as usize, found.filter(|found| *found).count());
        assert_eq!(Words::of(b"").0, 0);
    }

    #[track_caller]
    fn check_system(text: &str, system: Option<UserAgentSystem>) {
        assert_eq!(UserAgent::parse(text.as_bytes()).system, system, "{text}");
    }

    #[test]
    fn a_system_is_named_by_its_word_alone() {
        use UserAgentSystem::{Apple, Ios, Linux, Windows};
        for text in [
            "Mozilla/5.0 (compatible; Windowsbot/1.0; +http://example.com/Windows)",
            "WordPress/6.4; https://my-Linux.example/Windows",
            "MyApp/1.0 (like Mac OS X compatible)",
            "ArchLinux/1",
            "AndroidDownloadManager/5.1",
            "MyApp/1.0 (+https://example.com/?os=Linux)",
            "MyApp/1.0 example.com/Linux",
            "iPadOSx/1 WindowsNTx/1",
        ] {
            check_system(text, None);
        }
        check_system("curl/8.4.0 (Windows)", Some(Windows));
        check_system("Windows-Update-Agent/10.0.10011.16384 Client-Protocol/2.0", Some(Windows));
        check_system("azsdk-js (NODE-VERSION v18.12.0; Windows_NT 10.0.19045)", Some(Windows));
        check_system("Wget/1.12 (linux-gnu)", Some(Linux));
        check_system("Boto3/1.26 Python/3.9 Linux/5.10 Botocore/1.29", Some(Linux));
        check_system("MyApp/1 (iPhone14,2; iOS 17.0)", Some(Ios));
        check_system("MyApp/1 CFNetwork/1410.0.3 Darwin/22.6.0", Some(Apple));
        check_system("Mozilla/5.0 (iPhone; U; CPU like Mac OS X; en)", Some(Ios));
    }

    #[test]
    fn a_system_is_named_by_a_part_of_a_token_that_is_no_address() {
        use UserAgentSystem::{Ios, Linux, Windows};
        for text in [
            "docker/24.0.7 go/go1.20 git-commit/x kernel/5.15 os/linux arch/amd64 UpstreamClient(Docker-Client/24.0.7)",
            "curl/7.19.7 (x86_64-redhat-linux-gnu) libcurl/7.19.7",
            "SVN/1.14.2 (x86_64-pc-linux-gnu)",
            "RubyGems/3.2.5 x86_64-linux Ruby/2.7.4",
            "Boto3/1.28.0 md/Botocore#1.31 ua/2.0 os/linux#5.10.0 md/arch#x86_64",
            "Mozilla/5.0 (compatible; Konqueror/3.5; GNU/Linux)",
            "MyApp/1.2/Linux",
            "MyApp/1 (+https://example.com/) Linux",
        ] {
            check_system(text, Some(Linux));
        }
        check_system("AppStore/3.0 iOS/14.4.2 model/iPhone10,4", Some(Ios));
        check_system("MyApp/1 (iPadOS 17.0)", Some(Ios));
        check_system("MyApp/1 (iPhoneOS 3.0)", Some(Ios));
        check_system("MyApp/1 (WindowsNT 6.1)", Some(Windows));
        check_system("docker/24.0.7 os/linux UpstreamClient(Docker-Client/24.0.7 (Windows))", None);
    }

    #[test]
    fn who_names_several_systems_names_none() {
        use UserAgentSystem::{Android, Ios, WindowsPhone};
        check_system("Thunderbird/115 on Linux migrated from Windows", None);
        check_system("Mozilla/5.0 (X11; FreeBSD amd64; Linux emulation)", None);
        // These are named together.
        check_system("Dalvik/2.1.0 (Linux; U; Android 13; Pixel 6)", Some(Android));
        check_system("MyApp/1 iPhone13,2 CFNetwork/1410 Darwin/22.6.0", Some(Ios));
        let phone = "Mozilla/5.0 (Mobile; Windows Phone 8.1; Android 4.0; Trident/7.0; rv:11.0; IEMobile/11.0) \
                     like iPhone OS 7_0_3 Mac OS X AppleWebKit/537 (KHTML, like Gecko) Mobile Safari/537";
        check_system(phone, Some(WindowsPhone));
    }
}
