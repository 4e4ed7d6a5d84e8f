//! JA3S that were computed before.

use huginn_net_core::KeyedHash;

use crate::ja3::Ja3s;
use crate::server_hello::ServerHello;

/// Remembers the JA3S of answers that were seen before: what servers choose differs little.
///
/// It changes no result: a JA3S is used only for exactly the fields that it was computed from. An answer that is new takes
/// the place of an older one; which one depends on a key, so that nobody can choose answers that keep displacing others.
pub(super) struct KnownAnswers {
    places: Box<[Option<Known>]>,
    hash: KeyedHash,
}

struct Known {
    fields: Fields,
    ja3s: Ja3s,
    full: Box<str>,
}

/// All that a JA3S depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Fields {
    version: u16,
    cipher_suite: u16,
    /// Types of the extensions in order, and how many there are.
    kinds: [u16; Self::MOST_KINDS],
    count: usize,
}

impl KnownAnswers {
    /// A power of two.
    const PLACES: u16 = 64;

    pub(super) fn new() -> Self {
        Self { places: (0..Self::PLACES).map(|_| None).collect(), hash: KeyedHash::random() }
    }

    /// JA3S of an answer and what it is the hash of; none of a HelloRetryRequest.
    pub(super) fn ja3s(&mut self, hello: &ServerHello<'_>) -> Option<(Ja3s, Box<str>)> {
        let fields = Fields::of(hello);
        let place = fields.and_then(|fields| {
            let at = self.hash.hash(&fields) & u64::from(Self::PLACES - 1);
            self.places.get_mut(usize::try_from(at).ok()?)
        });
        if let Some(Some(known)) = &place
            && Some(known.fields) == fields
            && !hello.is_hello_retry_request()
        {
            return Some((known.ja3s, known.full.clone()));
        }
        let (ja3s, full) = (hello.ja3s()?, hello.ja3s_full()?.to_string().into_boxed_str());
        if let (Some(place), Some(fields)) = (place, fields) {
            *place = Some(Known { fields, ja3s, full: full.clone() });
        }
        Some((ja3s, full))
    }
}

impl Fields {
    /// Extensions of the longest answer that is remembered; servers send two to six.
    const MOST_KINDS: usize = 12;

    fn of(hello: &ServerHello<'_>) -> Option<Self> {
        let (mut kinds, mut count) = ([0; Self::MOST_KINDS], 0);
        for extension in hello.extensions() {
            *kinds.get_mut(count)? = extension.kind.0;
            count += 1;
        }
        Some(Self { version: hello.legacy_version().0, cipher_suite: hello.cipher_suite().0, kinds, count })
    }
}

#[cfg(test)]
mod tests {
    use huginn_net_core::Progress;

    use super::*;

    /// A ServerHello with empty extensions of these types.
    fn message(version: u8, cipher_suite: u8, kinds: &[u8]) -> Vec<u8> {
        let start = [
            &[3, version][..],
            &[7; 32],
            &[0, 0x13, cipher_suite, 0, 0, u8::try_from(4 * kinds.len()).unwrap()],
        ]
        .concat();
        let extensions = kinds.iter().flat_map(|&kind| [0, kind, 0, 0]);
        let body: Vec<u8> = start.into_iter().chain(extensions).collect();
        [&[2, 0, 0, u8::try_from(body.len()).unwrap()][..], &body].concat()
    }

    fn parse(message: &[u8]) -> ServerHello<'_> {
        let Ok(Progress::Done(hello)) = ServerHello::parse(message) else { panic!("no ServerHello") };
        hello
    }

    #[test]
    fn whatever_a_ja3s_depends_on_tells_answers_apart() {
        let mut known = KnownAnswers::new();
        let long: Vec<u8> = (0..13).collect();
        let messages = [
            message(3, 1, &[43, 51]),
            message(2, 1, &[43, 51]),
            message(3, 2, &[43, 51]),
            message(3, 1, &[51, 43]),
            message(3, 1, &[43]),
            message(3, 1, &[43, 0]),
            message(3, 1, &[]),
            message(3, 1, &long),
            message(3, 1, &long[..12]),
        ];
        for _ in 0..2 {
            for message in &messages {
                let hello = parse(message);
                let (ja3s, full) = known.ja3s(&hello).unwrap();
                assert_eq!((ja3s, &*full), (hello.ja3s().unwrap(), &*hello.ja3s_full().unwrap().to_string()));
            }
        }
    }

    #[test]
    fn an_answer_is_computed_once_and_then_known() {
        let mut known = KnownAnswers::new();
        let message = message(3, 1, &[43, 51]);
        assert!(known.ja3s(&parse(&message)).is_some());
        // A mark that shows where the text came from.
        known.places.iter_mut().flatten().for_each(|known| known.full = "known".into());
        assert_eq!(&*known.ja3s(&parse(&message)).unwrap().1, "known");
    }

    #[test]
    fn a_retry_request_has_none_although_an_answer_with_its_fields_is_known() {
        let mut known = KnownAnswers::new();
        let mut message = message(3, 1, &[43, 51]);
        assert!(known.ja3s(&parse(&message)).is_some());
        // SHA-256 of "HelloRetryRequest" (RFC 8446 §4.1.3).
        message[6..38].copy_from_slice(
            b"\xcf\x21\xad\x74\xe5\x9a\x61\x11\xbe\x1d\x8c\x02\x1e\x65\xb8\x91\
              \xc2\xa2\x11\x16\x7a\xbb\x8c\x5e\x07\x9e\x09\xe2\xc8\xa8\x33\x9c",
        );
        assert_eq!(known.ja3s(&parse(&message)), None);
    }
}
