//! Fingerprints that were computed before.

use core::fmt;
use core::hash::{Hash, Hasher};

use huginn_net_core::KeyedHash;

use super::{Form, Ja4, Ja4Forms, Ja4Options, Ja4Stable, LENGTH, alpn_code, hashed};
use crate::client_hello::{Carrier, ClientHello, LowTypes, MOST_HIGH};
use crate::numbers::ProtocolVersion;

/// Remembers the JA4 of clients that were seen before, since few kinds of client send most hellos.
///
/// An analyzer keeps one and never shares it. It changes no result: a fingerprint is used only for exactly what it was
/// computed from, lists as they lie in the message and extensions in any order, which some browsers change each time. Its
/// size is fixed, 268 bytes for each kind of hello; a new one takes the place of an older one. Where it is kept depends on
/// a key drawn when the cache is made, so that nobody can choose hellos that keep displacing each other.
///
/// ```
/// use huginn_net_tls::{ClientHello, Ja4Cache, Ja4Options};
///
/// # let bytes = include_bytes!("../../../pcaps/tls/hello/hand-base-tls13.bin");
/// let mut cache = Ja4Cache::new(512);
/// let hello = ClientHello::from_record(bytes)?;
/// assert_eq!(cache.ja4(&hello.ja4_forms(Ja4Options::default())), hello.ja4());
/// # Ok::<(), huginn_net_tls::TlsError>(())
/// ```
#[derive(Clone)]
pub struct Ja4Cache {
    /// A power of two of them, or none.
    sets: Box<[Set]>,
    hash: KeyedHash,
}

/// Where hellos are kept that the hash puts in the same place.
#[derive(Clone, Copy)]
struct Set {
    entries: [Entry; WAYS],
    /// The entry that the next new one replaces: the oldest.
    next: usize,
}

/// Places where a fingerprint may be kept.
const WAYS: usize = 2;
/// Bytes of the longest lists that are kept: 96 cipher suites and signature algorithms.
const MOST: usize = 192;

/// All that a fingerprint follows from.
#[derive(Clone, Copy)]
struct Basis<'a> {
    facts: Facts,
    /// The lists as they were sent; GREASE may be left in them, which makes it another basis of the same fingerprint.
    cipher_suites: &'a [u8],
    signature_algorithms: &'a [u8],
}

/// What is no list.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Facts {
    low_types: LowTypes,
    /// Sorted, behind them zeros, which are no high type.
    high_types: [u16; MOST_HIGH],
    version: ProtocolVersion,
    alpn: [u8; 2],
    carrier: Carrier,
    form: Form,
}

/// A fingerprint and its basis, if it has any.
#[derive(Clone, Copy)]
struct Entry {
    facts: Facts,
    cipher_suites_len: u8,
    signature_algorithms_len: u8,
    /// One list behind the other.
    lists: [u8; MOST],
    made: Option<[u8; LENGTH]>,
}

impl Ja4Cache {
    /// A cache of at least this many kinds of hello, rounded up to a power of two. 0 for one that keeps none.
    #[must_use]
    pub fn new(kinds: usize) -> Self {
        let sets = match kinds.div_ceil(WAYS) {
            0 => 0,
            sets => sets.next_power_of_two(),
        };
        Self { sets: vec![Set::NONE; sets].into_boxed_slice(), hash: KeyedHash::random() }
    }

    /// As [`Ja4Forms::ja4`].
    #[must_use]
    pub fn ja4(&mut self, forms: &Ja4Forms<'_>) -> Ja4 {
        self.ja4_of(&forms.hello, forms.options)
    }

    /// As [`ja4`](Self::ja4), of a hello that need not be copied for it.
    pub(crate) fn ja4_of(&mut self, hello: &ClientHello<'_>, options: Ja4Options) -> Ja4 {
        Ja4(self.hashed(hello, options, Form::Sorted))
    }

    /// As [`Ja4Forms::ja4_s1`].
    #[must_use]
    pub fn ja4_s1(&mut self, forms: &Ja4Forms<'_>) -> Ja4Stable {
        Ja4Stable(self.hashed(&forms.hello, forms.options, Form::Stable))
    }

    /// Bytes of memory held besides the cache itself.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        size_of_val(&*self.sets)
    }

    fn hashed(&mut self, hello: &ClientHello<'_>, options: Ja4Options, form: Form) -> [u8; LENGTH] {
        let make = || hashed(hello, form, options);
        let Some(basis) = Basis::of(hello, options, form) else { return make() };
        let Some(set) = self.set_of(&basis) else { return make() };
        if let Some(made) = set.entries.iter().find_map(|entry| entry.made_of(&basis)) {
            return made;
        }
        let made = make();
        if let Some(oldest) = set.entries.get_mut(set.next) {
            oldest.keep(&basis, made);
        }
        set.next = (set.next + 1) % WAYS;
        made
    }

    /// Where a fingerprint is kept, if any is.
    fn set_of(&mut self, basis: &Basis<'_>) -> Option<&mut Set> {
        let mask = self.sets.len().checked_sub(1)? as u64;
        let at = self.hash.hash(basis) & mask;
        self.sets.get_mut(usize::try_from(at).ok()?)
    }
}

impl fmt::Debug for Ja4Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ja4Cache").field("kinds", &(self.sets.len() * WAYS)).finish_non_exhaustive()
    }
}

impl<'a> Basis<'a> {
    /// That of a form which sorts. `None` of a hello with longer lists or other extensions than honest clients send.
    #[inline]
    fn of(hello: &ClientHello<'a>, options: Ja4Options, form: Form) -> Option<Self> {
        let (low_types, high) = hello.extension_types()?;
        let mut high_types = [0; MOST_HIGH];
        let places = high_types.get_mut(..high.len())?;
        places.copy_from_slice(high);
        places.sort_unstable();
        let facts = Facts {
            low_types,
            high_types,
            version: options.version_of(hello),
            alpn: alpn_code(hello.alpn().next().unwrap_or_default()),
            carrier: hello.carrier(),
            form,
        };
        let cipher_suites = hello.cipher_suites().bytes_behind_grease();
        let signature_algorithms = hello.signature_algorithms().bytes_behind_grease();
        let fits = cipher_suites.len() + signature_algorithms.len() <= MOST;
        fits.then_some(Self { facts, cipher_suites, signature_algorithms })
    }
}

/// Of all that is compared: hellos that differ only in what is left out would be in one set, whatever the key.
impl Hash for Basis<'_> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.facts.low_types.hash(state);
        self.facts.high_types.hash(state);
        let ProtocolVersion(version) = self.facts.version;
        let [first, last] = self.facts.alpn;
        let (carrier, form) = (self.facts.carrier as u8, self.facts.form as u8);
        state.write_u64(
            u64::from(version) << 32 | u64::from(u32::from_be_bytes([carrier, first, last, form])),
        );
        state.write(self.cipher_suites);
        state.write(self.signature_algorithms);
    }
}

impl Set {
    const NONE: Self = Self { entries: [Entry::NONE; WAYS], next: 0 };
}

impl Entry {
    const NONE: Self = Self {
        facts: Facts {
            low_types: LowTypes::of([]),
            high_types: [0; MOST_HIGH],
            version: ProtocolVersion(0),
            alpn: [0; 2],
            carrier: Carrier::Tcp,
            form: Form::Sorted,
        },
        cipher_suites_len: 0,
        signature_algorithms_len: 0,
        lists: [0; MOST],
        made: None,
    };

    /// Becomes the entry of a basis, the lists of which fit.
    fn keep(&mut self, basis: &Basis<'_>, made: [u8; LENGTH]) {
        let Basis { facts, cipher_suites, signature_algorithms } = *basis;
        // Both together are no longer than `MOST`.
        if let Some((first, rest)) = self.lists.split_at_mut_checked(cipher_suites.len())
            && let Some(second) = rest.get_mut(..signature_algorithms.len())
        {
            first.copy_from_slice(cipher_suites);
            second.copy_from_slice(signature_algorithms);
        }
        self.cipher_suites_len = u8::try_from(cipher_suites.len()).unwrap_or_default();
        self.signature_algorithms_len = u8::try_from(signature_algorithms.len()).unwrap_or_default();
        self.facts = facts;
        self.made = Some(made);
    }

    /// The fingerprint, if this is its basis.
    #[inline]
    fn made_of(&self, basis: &Basis<'_>) -> Option<[u8; LENGTH]> {
        let (first, rest) = self.lists.split_at_checked(usize::from(self.cipher_suites_len))?;
        let second = rest.get(..usize::from(self.signature_algorithms_len))?;
        let is_same =
            self.facts == basis.facts && first == basis.cipher_suites && second == basis.signature_algorithms;
        self.made.filter(|_| is_same)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Ja4Options;
    use super::*;
    use crate::client_hello::ClientHello;

    /// A hello with these lists, of numbers of two bytes.
    #[derive(Clone)]
    struct Lists {
        version: u16,
        cipher_suites: Vec<u16>,
        /// With bodies that are empty but for signature algorithms and ALPN.
        extensions: Vec<u16>,
        signature_algorithms: Vec<u16>,
        alpn: &'static [u8],
    }

    impl Lists {
        fn message(&self) -> Vec<u8> {
            let numbers = |list: &[u16]| -> Vec<u8> { list.iter().flat_map(|n| n.to_be_bytes()).collect() };
            let counted = |bytes: Vec<u8>| {
                let len = u16::try_from(bytes.len()).unwrap();
                [&len.to_be_bytes()[..], &bytes].concat()
            };
            let extension = |&kind: &u16| {
                let body = match kind {
                    0x000d => counted(numbers(&self.signature_algorithms)),
                    0x0010 => counted([&[u8::try_from(self.alpn.len()).unwrap()], self.alpn].concat()),
                    _ => Vec::new(),
                };
                [kind.to_be_bytes().to_vec(), counted(body)].concat()
            };
            let mut hello = [&self.version.to_be_bytes()[..], &[7; 32], &[0]].concat();
            hello.extend(counted(numbers(&self.cipher_suites)));
            hello.extend([1, 0]);
            hello.extend(counted(self.extensions.iter().flat_map(extension).collect()));
            let [_, length @ ..] = u32::try_from(hello.len()).unwrap().to_be_bytes();
            [&[1][..], &length, &hello].concat()
        }
    }

    fn base() -> Lists {
        Lists {
            version: 0x0303,
            cipher_suites: vec![0x1302, 0x1301],
            extensions: vec![0xff01, 0x0017, 0x000d, 0x0010, 0x44cd],
            signature_algorithms: vec![0x0804, 0x0403],
            alpn: b"h2",
        }
    }

    /// Whether a cache has the same fingerprints as it computes itself; what it then keeps.
    fn kept_after(cache: &mut Ja4Cache, message: &[u8], carrier: Carrier) -> usize {
        let hello = ClientHello::parse(message, carrier).unwrap().done().unwrap();
        let forms = hello.ja4_forms(Ja4Options::default());
        assert_eq!((cache.ja4(&forms), cache.ja4_s1(&forms)), (forms.ja4(), forms.ja4_s1()));
        kept(cache)
    }

    fn kept(cache: &Ja4Cache) -> usize {
        cache.sets.iter().flat_map(|set| &set.entries).filter(|entry| entry.made.is_some()).count()
    }

    #[test]
    fn a_fingerprint_is_computed_once_and_then_known() {
        let message = base().message();
        let mut cache = Ja4Cache::new(8);
        assert_eq!(kept_after(&mut cache, &message, Carrier::Tcp), 2);
        assert_eq!(kept_after(&mut cache, &message, Carrier::Tcp), 2);
        // A mark that shows where it came from.
        cache
            .sets
            .iter_mut()
            .flat_map(|set| &mut set.entries)
            .for_each(|entry| entry.made = Some([b'x'; LENGTH]));
        let hello = ClientHello::parse(&message, Carrier::Tcp).unwrap().done().unwrap();
        let forms = hello.ja4_forms(Ja4Options::default());
        assert_eq!((cache.ja4(&forms).0, cache.ja4_s1(&forms).0), ([b'x'; LENGTH], [b'x'; LENGTH]));
    }

    #[test]
    fn whatever_a_fingerprint_follows_from_tells_hellos_apart() {
        let changes: [fn(&mut Lists); 12] = [
            |lists| lists.version = 0x0302,
            |lists| lists.cipher_suites = vec![0x1302, 0x1303],
            |lists| lists.cipher_suites = vec![0x1302],
            |lists| lists.extensions.push(0x0023),
            |lists| lists.extensions.push(0x0000),
            |lists| lists.extensions.push(0x4469),
            |lists| lists.extensions = vec![0xff01, 0x0017, 0x000d, 0x0010, 0x44ce],
            |lists| lists.signature_algorithms = vec![0x0403, 0x0804],
            |lists| lists.signature_algorithms.clear(),
            |lists| lists.alpn = b"h1",
            |lists| {
                // The same bytes behind each other.
                lists.cipher_suites.push(0x0804);
                lists.signature_algorithms = vec![0x0403];
            },
            |lists| lists.extensions.push(0x0017),
        ];
        let mut cache = Ja4Cache::new(256);
        let _ = kept_after(&mut cache, &base().message(), Carrier::Tcp);
        for change in changes {
            let mut other = base();
            change(&mut other);
            for _ in 0..2 {
                let _ = kept_after(&mut cache, &other.message(), Carrier::Tcp);
            }
        }
        let _ = kept_after(&mut cache, &base().message(), Carrier::Quic);
    }

    #[test]
    fn hellos_that_differ_in_an_extension_of_a_high_number_do_not_displace_each_other() {
        let mut cache = Ja4Cache::new(1_024);
        let most = (0x4001..0x4009).map(|high| {
            let mut other = base();
            other.extensions.push(high);
            kept_after(&mut cache, &other.message(), Carrier::Tcp)
        });
        // Two forms of each of eight; by a hash without the number, two of each form.
        assert!(most.last().unwrap() > 10);
    }

    #[test]
    fn extensions_in_another_order_and_grease_in_front_are_the_same() {
        let mut cache = Ja4Cache::new(8);
        for extensions in [[0x17, 0x0d, 0xff01, 0x44cd], [0x44cd, 0x0d, 0x17, 0xff01]] {
            for grease in [None, Some(0x0a0a), Some(0xfafa)] {
                let mut lists = Lists { extensions: extensions.to_vec(), ..base() };
                lists.cipher_suites.splice(..0, grease);
                lists.extensions.splice(..0, grease);
                lists.signature_algorithms.splice(..0, grease);
                assert_eq!(kept_after(&mut cache, &lists.message(), Carrier::Tcp), 2);
            }
        }
    }

    #[test]
    fn never_keeps_more_than_its_size_and_stays_right() {
        for kinds in [0, 1, 2, 3, 64] {
            let mut cache = Ja4Cache::new(kinds);
            let held = cache.held_bytes();
            let places = kinds.next_multiple_of(WAYS);
            for _ in 0..2 {
                for number in 0..300 {
                    let message = Lists { cipher_suites: vec![number], ..base() }.message();
                    assert!(kept_after(&mut cache, &message, Carrier::Tcp) <= places.next_power_of_two());
                }
            }
            assert_eq!(cache.held_bytes(), held);
            assert_eq!(held, places.next_power_of_two().min(places) / WAYS * size_of::<Set>());
        }
    }

    #[test]
    fn what_is_too_long_or_repeats_an_extension_is_computed_and_not_kept() {
        let mut cache = Ja4Cache::new(8);
        for count in [95, 96, 200, 300] {
            let lists = Lists { cipher_suites: (0..count).collect(), ..base() };
            assert_eq!(kept_after(&mut cache, &lists.message(), Carrier::Tcp), 0, "{count}");
        }
        let nine_high = Lists { extensions: (0x4000..0x4009).collect(), ..base() };
        assert_eq!(kept_after(&mut cache, &nine_high.message(), Carrier::Tcp), 0);
        let twice = Lists { extensions: vec![0x17, 0x17], ..base() };
        assert_eq!(kept_after(&mut cache, &twice.message(), Carrier::Tcp), 0);
        // Two signature algorithms are left.
        let longest = Lists { cipher_suites: (0..94).collect(), ..base() };
        assert_eq!(kept_after(&mut cache, &longest.message(), Carrier::Tcp), 2);
    }

    #[test]
    fn the_size_for_each_kind_is_as_told() {
        assert_eq!(size_of::<Set>(), 268 * WAYS);
    }
}
