//! Heads that are alike in all that matters.

use huginn_net_http::Headers;
use memchr::memchr;

/// The fields of a head with gaps in the place of values that do not matter.
///
/// Whatever is told of the fields of a head from their names, their order and the values that matter holds for every
/// head that the template fits, which is compared in full.
#[derive(Clone, Debug, Default)]
pub(super) struct Template {
    /// The lines as they were sent, those with a gap up to their colon.
    text: Vec<u8>,
    /// Where in `text` the gaps are, each of which goes to the end of a line.
    gaps: Vec<u16>,
}

/// Bytes of a template: heads of browsers have some 400 that matter.
const MAX_TEXT: usize = 1_024;
/// Gaps of a template.
const MAX_GAPS: usize = 64;

impl Template {
    /// Becomes the template of these fields. False if they are too many or too long, and it then fits nothing.
    pub(super) fn set(&mut self, headers: Headers<'_>, matters: impl Fn(&[u8]) -> bool) -> bool {
        self.text.clear();
        self.gaps.clear();
        // All at once, or memory would grow past the limits.
        self.text.reserve_exact(MAX_TEXT);
        self.gaps.reserve_exact(MAX_GAPS);
        let is_set = self.add_lines(headers, matters).is_some();
        if !is_set {
            // Headers are never empty and without a line end.
            self.gaps.clear();
            self.text.clear();
            self.text.push(b' ');
        }
        is_set
    }

    fn add_lines(&mut self, headers: Headers<'_>, matters: impl Fn(&[u8]) -> bool) -> Option<()> {
        let mut rest = headers.as_sent();
        for header in headers.iter() {
            let line = header.as_sent();
            // A folded field is kept whole, and so is a line without a colon, which has no name.
            let colon = memchr(b':', line).filter(|_| !header.name().is_empty() && !line.contains(&b'\n'));
            let (_, behind) = rest.split_at_checked(line.len())?;
            let end = memchr(b'\n', behind)? + 1;
            let len = line.len() + end;
            let colon = colon.filter(|_| !matters(header.name()));
            let kept = rest.get(..colon.map_or(len, |colon| colon + 1))?;
            if self.text.len() + kept.len() > MAX_TEXT {
                return None;
            }
            self.text.extend_from_slice(kept);
            if colon.is_some() {
                if self.gaps.len() == MAX_GAPS {
                    return None;
                }
                self.gaps.push(u16::try_from(self.text.len()).ok()?);
            }
            rest = rest.get(len..)?;
        }
        Some(())
    }

    /// Whether these fields, as they were sent, differ from those that it was made of in nothing but gaps.
    pub(super) fn fits(&self, mut fields: &[u8]) -> bool {
        let mut start = 0;
        for &gap in &self.gaps {
            let gap = usize::from(gap);
            let run = self.text.get(start..gap).unwrap_or_default();
            // What follows the end of the line is compared next, so that a value that goes on there does not fit.
            let Some(behind) = fields.strip_prefix(run) else { return false };
            let Some(end) = memchr(b'\n', behind) else { return false };
            fields = behind.get(end + 1..).unwrap_or_default();
            start = gap;
        }
        self.text.get(start..) == Some(fields)
    }
}

#[cfg(test)]
mod tests {
    use huginn_net_core::Progress;
    use huginn_net_http::Http1Request;

    use super::*;

    /// Whether the template of fields, of which only the value of `A` matters, fits others.
    fn fits(fields: &str, others: &str) -> bool {
        let with = |fields: &str| format!("GET / HTTP/1.1\r\n{fields}\r\n");
        let (one, other) = (with(fields), with(others));
        let read = |bytes| match Http1Request::parse(bytes) {
            Ok(Progress::Done(request)) => request,
            other => panic!("{other:?}"),
        };
        let mut template = Template::default();
        assert!(template.set(read(one.as_bytes()).headers(), |name| name == b"A"));
        assert!(template.fits(read(one.as_bytes()).headers().as_sent()), "{fields:?}");
        template.fits(read(other.as_bytes()).headers().as_sent())
    }

    #[test]
    fn values_that_do_not_matter_may_be_others() {
        let fields = "A: 1\r\nB: 2\r\nC: 3\r\nA: 4\r\n";
        assert!(fits(fields, "A: 1\r\nB:\r\nC: a: b, c\r\nA: 4\r\n"));
        assert!(fits("B: 2\r\n", "B: \r\n"));
        assert!(fits("B: 2\n", "B: 3\r\n"), "nor does the end of their line");
        assert!(fits("", ""));
    }

    #[test]
    fn values_that_matter_names_and_their_order_may_not() {
        let fields = "A: 1\r\nB: 2\r\nC: 3\r\n";
        for other in [
            "A: 2\r\nB: 2\r\nC: 3\r\n",
            "A: 12\r\nB: 2\r\nC: 3\r\n",
            "A:1\r\nB: 2\r\nC: 3\r\n",
            "A: 1\nB: 2\r\nC: 3\r\n",
            "A: 1\r\nC: 2\r\nB: 3\r\n",
            "A: 1\r\nB: 2\r\nc: 3\r\n",
            "A: 1\r\nB: 2\r\n",
            "A: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\n",
            "A: 1\r\nB : 2\r\nC: 3\r\n",
            "B: 2\r\nC: 3\r\n",
            "",
        ] {
            assert!(!fits(fields, other), "{other:?}");
        }
    }

    #[test]
    fn a_value_that_goes_on_in_the_next_line_fits_no_other() {
        assert!(!fits("B: 2\r\nC: 3\r\n", "B: 2\r\n 3\r\nC: 3\r\n"));
        assert!(!fits("B: 2\r\n", "B: 2\r\n\t3\r\n"));
        assert!(!fits("B: 2\r\n 3\r\n", "B: 2\r\n 4\r\n"));
        assert!(!fits("B: 2\r\n 3\r\n", "B: 2\r\n"));
    }

    #[test]
    fn a_line_without_a_colon_is_compared() {
        assert!(!fits("B\r\nC: 3\r\n", "D\r\nC: 3\r\n"));
        assert!(!fits(": B\r\nC: 3\r\n", ": D\r\nC: 3\r\n"));
    }

    #[test]
    fn fields_beyond_the_limits_have_no_template() {
        let set = |fields: String| {
            let bytes = format!("GET / HTTP/1.1\r\n{fields}\r\n");
            let Ok(Progress::Done(request)) = Http1Request::parse(bytes.as_bytes()) else { panic!() };
            let mut template = Template::default();
            let is_set = template.set(request.headers(), |name| name == b"A");
            assert_eq!(template.fits(request.headers().as_sent()), is_set);
            is_set
        };
        assert!(set(format!("A:{}\r\n", "x".repeat(MAX_TEXT - 4))));
        assert!(!set(format!("A:{}\r\n", "x".repeat(MAX_TEXT - 3))));
        assert!(set("B: 1\r\n".repeat(MAX_GAPS)));
        assert!(!set("B: 1\r\n".repeat(MAX_GAPS + 1)));
        assert!(set(format!("B:{}\r\n", "x".repeat(10 * MAX_TEXT))));
    }
}
