//! Proxies, caches and the like, by what they add to a head.

use std::borrow::Cow;

use crate::http1::list;

/// Something between the two ends, by one field that it added or that is meant for it.
///
/// A field proves that somebody wrote it, which may be the program itself. Addresses of clients in it are claims.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Intermediary<'a> {
    /// What it is.
    pub kind: IntermediaryKind,
    /// Its name, if the field tells: that of a product or service, or what the last of `Via` or `CDN-Loop` calls itself.
    pub name: Option<Cow<'a, [u8]>>,
    /// The name of the field that tells, as it was sent.
    pub field: &'a [u8],
    /// The value of that field.
    pub value: Cow<'a, [u8]>,
}

/// What stands between two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IntermediaryKind {
    /// A proxy or gateway.
    Proxy,
    /// A cache that has answered, or could have.
    Cache,
    /// A load balancer.
    LoadBalancer,
    /// A content delivery network.
    Cdn,
}

impl IntermediaryKind {
    /// In lower case with underscores.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Proxy => "proxy",
            Self::Cache => "cache",
            Self::LoadBalancer => "load_balancer",
            Self::Cdn => "cdn",
        }
    }
}

/// Names in lower case, and who adds them. One that ends with `-` stands for all that begin so.
///
/// [RFC 9110 §7.6.3](https://www.rfc-editor.org/rfc/rfc9110#section-7.6.3) has `Via`,
/// [RFC 7239](https://www.rfc-editor.org/rfc/rfc7239) `Forwarded`, [RFC 8586](https://www.rfc-editor.org/rfc/rfc8586)
/// `CDN-Loop`, [RFC 9111 §5.1](https://www.rfc-editor.org/rfc/rfc9111#section-5.1) `Age`; others are documented by those
/// who add them.
const FIELDS: &[(&str, IntermediaryKind, Option<&str>)] = &[
    ("via", IntermediaryKind::Proxy, None),
    ("forwarded", IntermediaryKind::Proxy, None),
    ("x-forwarded-", IntermediaryKind::Proxy, None),
    ("x-real-ip", IntermediaryKind::Proxy, None),
    ("proxy-connection", IntermediaryKind::Proxy, None),
    ("proxy-agent", IntermediaryKind::Proxy, None),
    ("client-ip", IntermediaryKind::Proxy, None),
    ("x-envoy-", IntermediaryKind::Proxy, Some("Envoy")),
    ("x-squid-error", IntermediaryKind::Proxy, Some("Squid")),
    ("cdn-loop", IntermediaryKind::Cdn, None),
    ("true-client-ip", IntermediaryKind::Cdn, None),
    ("cf-ray", IntermediaryKind::Cdn, Some("Cloudflare")),
    ("cf-connecting-ip", IntermediaryKind::Cdn, Some("Cloudflare")),
    ("fly-", IntermediaryKind::Cdn, Some("Fly.io")),
    ("x-amz-cf-", IntermediaryKind::Cdn, Some("CloudFront")),
    ("x-amzn-trace-id", IntermediaryKind::LoadBalancer, Some("AWS")),
    ("x-cloud-trace-context", IntermediaryKind::LoadBalancer, Some("Google Cloud")),
    ("x-varnish", IntermediaryKind::Cache, Some("Varnish")),
    ("age", IntermediaryKind::Cache, None),
    ("x-cache", IntermediaryKind::Cache, None),
    ("x-cache-lookup", IntermediaryKind::Cache, Some("Squid")),
];

impl<'a> Intermediary<'a> {
    /// What a field tells, if it is one of an intermediary.
    pub(crate) fn of_field(field: &'a [u8], value: impl FnOnce() -> Cow<'a, [u8]>) -> Option<Self> {
        let &(known, kind, product) = FIELDS.iter().find(|(known, ..)| is_field(field, known))?;
        let value = value();
        let name = match known {
            // `1.1 proxy.example (Squid/6.6)`: the second word is who received the message.
            "via" => last_item(&value, |item| words(item).nth(1)),
            // `cloudflare; subreqs=1`.
            "cdn-loop" => last_item(&value, |item| item.split(|&byte| byte == b';').next()),
            _ => product.map(|product| Cow::Borrowed(product.as_bytes())),
        };
        Some(Self { kind, name, field, value })
    }
}

fn is_field(name: &[u8], field: &str) -> bool {
    let same = |name: &[u8]| name.eq_ignore_ascii_case(field.as_bytes());
    match field.ends_with('-') {
        true => name.len() > field.len() && name.get(..field.len()).is_some_and(same),
        false => same(name),
    }
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b' ').filter(|word| !word.is_empty())
}

/// A part of the last item of a list.
fn last_item<'a>(value: &Cow<'a, [u8]>, part: fn(&[u8]) -> Option<&[u8]>) -> Option<Cow<'a, [u8]>> {
    match value {
        Cow::Borrowed(value) => list(value).last().and_then(part).map(Cow::Borrowed),
        Cow::Owned(value) => list(value).last().and_then(part).map(|part| Cow::Owned(part.to_vec())),
    }
}
