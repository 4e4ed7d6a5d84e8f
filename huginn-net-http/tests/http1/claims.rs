//! What programs say of themselves, their languages and who stands between.

use huginn_net_http::{
    AcceptLanguage, Device, Engine, IntermediaryKind, LanguageRange, UserAgent, UserAgentSystem as System,
};

use crate::{request, with_fields};

#[test]
fn languages_are_read_with_weight_script_and_region() {
    let value =
        AcceptLanguage::new(&b"da, en-gb;q=0.8, zh-Hant-TW ;Q=0.801, *;q=0, haw;q=1.000, es-419;q=0.05"[..]);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let ranges: Vec<_> = value
        .ranges()
        .map(|range| (range.language(), range.script().map(text), range.region().map(text), range.weight()))
        .collect();
    let row = |language: &str, script: Option<&str>, region: Option<&str>, weight| {
        (language.to_owned(), script.map(str::to_owned), region.map(str::to_owned), weight)
    };
    assert_eq!(
        ranges,
        [
            row("da", None, None, 1000),
            row("en", None, Some("gb"), 800),
            row("zh", Some("Hant"), Some("TW"), 801),
            row("*", None, None, 0),
            row("haw", None, None, 1000),
            row("es", None, Some("419"), 50),
        ]
    );
    assert_eq!(value.best().map(|range| range.tag()), Some(&b"da"[..]));
}

#[test]
fn what_is_no_language_is_left_out() {
    let value = AcceptLanguage::new(
        &b"e\xe9, en;q=2, en;q=1.001, en;q=0.1234, en;x, toolonglanguage, -, , 12, fr-, de"[..],
    );
    assert_eq!(value.ranges().map(|range| range.language()).collect::<Vec<_>>(), ["de"]);
    assert_eq!(AcceptLanguage::new(&b"*, en;q=0"[..]).best(), None);
    assert_eq!(AcceptLanguage::new(&b"english, i-klingon"[..]).best(), None);
}

#[test]
fn the_first_of_equal_weights_is_the_best_and_none_is_no_language() {
    let best = |value: &'static str| {
        AcceptLanguage::new(value.as_bytes()).best().as_ref().map(LanguageRange::language)
    };
    assert_eq!(best("*, pl;q=0.5, cs;q=0.5"), Some("pl".to_owned()));
    assert_eq!(best(""), None);
}

#[test]
fn all_fields_of_languages_are_one_list() {
    let best = |fields: &str| {
        let bytes = with_fields(fields);
        let asked = request(&bytes).accept_language()?;
        asked.best().map(|range| range.language())
    };
    for (fields, language) in [
        ("Accept-Language: de;q=0.1\r\nX: y\r\naccept-language: fr;q=0.9\r\n", Some("fr")),
        ("Accept-Language: fr\r\nAccept-Language: de\r\n", Some("fr")),
        ("Accept-Language: \r\nAccept-Language: fr\r\n", Some("fr")),
        ("Accept-Language: de;q=0.2\r\nAccept-Language:\r\nAccept-Language: fr;q=0.3\r\n", Some("fr")),
        ("Accept-Language: en\r\n , de\r\nAccept-Language: fr;q=0.3\r\n", Some("en")),
        ("Accept-Language: \r\n", None),
        ("", None),
    ] {
        assert_eq!(best(fields).as_deref(), language, "{fields:?}");
    }
}

#[test]
fn the_language_of_p0f_is_that_of_the_first_two_letters() {
    for (value, name) in [
        ("en-US,en;q=0.9", "English"),
        ("de;q=0.1,fr;q=0.9", "German"),
        ("EN-us", "???"),
        ("xx", "???"),
        ("haw", "none"),
        ("*", "none"),
        ("d", "none"),
        ("", "none"),
    ] {
        assert_eq!(AcceptLanguage::new(value.as_bytes()).p0f(), name, "{value:?}");
    }
    // Languages with several names, as p0f 3.09b prints them.
    for (code, name) in [
        ("dv", "Dhivehi"),
        ("el", "Modern Greek"),
        ("km", "Central Khmer"),
        ("li", "Limburgan"),
        ("ny", "Nyanja"),
        ("ps", "Pushto"),
    ] {
        assert_eq!(AcceptLanguage::new(code.as_bytes()).p0f(), name);
    }
    // It leaves one blank out, and takes the last field that is not empty.
    assert_eq!(request(&with_fields("Accept-Language:  de\r\n")).p0f_language(), "none");
    assert_eq!(
        request(&with_fields("Accept-Language: de\r\nAccept-Language: \r\n")).p0f_language(),
        "German"
    );
    assert_eq!(request(&with_fields("accept-language: de\r\n")).p0f_language(), "none");
}

/// Family, version, system, version of the system, engine, device.
type Claim = (String, Option<String>, Option<System>, Option<String>, Option<Engine>, Option<Device>);

fn claim(text: &str) -> Claim {
    let seen = UserAgent::parse(text.as_bytes());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (version, system_version) = (seen.version.map(text), seen.system_version.map(text));
    (text(seen.family), version, seen.system, system_version, seen.engine, seen.device)
}

#[test]
fn browsers_are_named_with_system_engine_and_device() {
    let webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
    for (text, family, version, system, system_version, engine, device) in [
        (
            format!("Mozilla/5.0 (Windows NT 10.0; Win64; x64) {webkit} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.87"),
            "Edge", "126.0.2592.87", System::Windows, None, Engine::Blink, Device::Desktop,
        ),
        (
            format!("Mozilla/5.0 (Windows NT 10.0; Win64; x64) {webkit} Chrome/70.0.3538.102 Safari/537.36 Edge/18.19582"),
            "Edge", "18.19582", System::Windows, None, Engine::EdgeHtml, Device::Desktop,
        ),
        (
            format!("Mozilla/5.0 (Linux; Android 10; K) {webkit} Chrome/126.0.0.0 Mobile Safari/537.36"),
            "Chrome", "126.0.0.0", System::Android, None, Engine::Blink, Device::Mobile,
        ),
        (
            format!("Mozilla/5.0 (Linux; Android 13; SM-X200) {webkit} SamsungBrowser/25.0 Chrome/121.0.0.0 Safari/537.36"),
            "Samsung Internet", "25.0", System::Android, Some("13"), Engine::Blink, Device::Tablet,
        ),
        (
            format!("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) {webkit} Chrome/126.0.0.0 Safari/537.36"),
            "Chrome", "126.0.0.0", System::ChromeOs, None, Engine::Blink, Device::Desktop,
        ),
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0".to_owned(),
            "Firefox", "153.0", System::Linux, None, Engine::Gecko, Device::Desktop,
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15".to_owned(),
            "Safari", "17.5", System::MacOs, None, Engine::WebKit, Device::Desktop,
        ),
        (
            "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1".to_owned(),
            "Chrome", "126.0.6478.54", System::Ios, Some("16_6"), Engine::WebKit, Device::Tablet,
        ),
        (
            "Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko".to_owned(),
            "Internet Explorer", "11.0", System::Windows, Some("6.1"), Engine::Trident, Device::Desktop,
        ),
    ] {
        let wanted = (
            family.to_owned(),
            Some(version.to_owned()),
            Some(system),
            system_version.map(str::to_owned),
            Some(engine),
            Some(device),
        );
        assert_eq!(claim(&text), wanted, "{text}");
    }
}

#[test]
fn programs_that_are_no_browsers_are_named_by_their_first_product() {
    for (text, family, version, system) in [
        ("curl/7.88.1", "curl", Some("7.88.1"), None),
        ("Wget/1.21.3 (linux-gnu)", "Wget", Some("1.21.3"), Some(System::Linux)),
        ("MyApp/1 CFNetwork/1410.1 Darwin/22.6.0", "MyApp", Some("1"), Some(System::Apple)),
        ("node", "node", None, None),
        ("got (https://github.com/sindresorhus/got)", "got", None, None),
        ("", "", None, None),
        ("/", "", None, None),
    ] {
        let (found, found_version, found_system, _, engine, device) = claim(text);
        assert_eq!(
            (&found[..], found_version.as_deref(), found_system),
            (family, version, system),
            "{text:?}"
        );
        assert_eq!((engine, device), (None, None), "{text:?}");
    }
}

#[test]
fn crawlers_and_browsers_without_a_window_say_so() {
    let google =
        UserAgent::parse(b"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)");
    assert!(google.is_bot);
    assert_eq!((google.family, google.version, google.device), (&b"Googlebot"[..], Some(&b"2.1"[..]), None));
    let headless = UserAgent::parse(
        b"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36",
    );
    assert_eq!((headless.family, headless.is_headless, headless.is_bot), (&b"Chrome"[..], true, false));
}

#[test]
fn each_field_of_an_intermediary_tells_one() {
    for (field, kind, name) in [
        ("Via: 1.0 fred, 1.1 p.example.net (Squid/6.6)", IntermediaryKind::Proxy, Some("p.example.net")),
        ("via: 1.1", IntermediaryKind::Proxy, None),
        ("Forwarded: for=192.0.2.1", IntermediaryKind::Proxy, None),
        ("X-Forwarded-For: 192.0.2.1", IntermediaryKind::Proxy, None),
        ("x-forwarded-proto: https", IntermediaryKind::Proxy, None),
        ("X-Real-IP: 192.0.2.1", IntermediaryKind::Proxy, None),
        ("Proxy-Connection: keep-alive", IntermediaryKind::Proxy, None),
        ("CDN-Loop: a.example, cloudflare; subreqs=1", IntermediaryKind::Cdn, Some("cloudflare")),
        ("True-Client-IP: 192.0.2.1", IntermediaryKind::Cdn, None),
        ("CF-RAY: 1", IntermediaryKind::Cdn, Some("Cloudflare")),
        ("CF-Connecting-IP: 192.0.2.1", IntermediaryKind::Cdn, Some("Cloudflare")),
        ("Fly-Region: fra", IntermediaryKind::Cdn, Some("Fly.io")),
        ("X-Amz-Cf-Id: x", IntermediaryKind::Cdn, Some("CloudFront")),
        ("X-Amzn-Trace-Id: Root=1", IntermediaryKind::LoadBalancer, Some("AWS")),
        ("X-Cloud-Trace-Context: 1/2", IntermediaryKind::LoadBalancer, Some("Google Cloud")),
        ("X-Varnish: 1", IntermediaryKind::Cache, Some("Varnish")),
        ("Age: 5", IntermediaryKind::Cache, None),
        ("X-Cache: HIT", IntermediaryKind::Cache, None),
        ("X-Cache-Lookup: HIT from p.example:3128", IntermediaryKind::Cache, Some("Squid")),
        ("X-Squid-Error: ERR_DNS_FAIL 0", IntermediaryKind::Proxy, Some("Squid")),
        ("x-envoy-upstream-service-time: 3", IntermediaryKind::Proxy, Some("Envoy")),
        ("Client-ip: 192.0.2.1", IntermediaryKind::Proxy, None),
        ("Proxy-agent: tinyproxy/1.11.1", IntermediaryKind::Proxy, None),
    ] {
        let bytes = with_fields(&format!("Host: a\r\n{field}\r\nFly-: x\r\nX-Forwarded: y\r\n"));
        let found: Vec<_> = request(&bytes).intermediaries().collect();
        assert_eq!(found.len(), 1, "{field}");
        assert_eq!((found[0].kind, found[0].name.as_deref()), (kind, name.map(str::as_bytes)), "{field}");
        let told = [found[0].field, &found[0].value].join(&b": "[..]);
        assert_eq!(told.escape_ascii().to_string(), field);
    }
}

#[test]
fn who_closes_before_the_client_names_itself_has_passed_the_request_on() {
    for (fields, is_forwarded) in [
        ("Host: a\r\nConnection: close\r\nUser-Agent: b\r\n", true),
        ("connection: Close\r\nHost: a\r\nUser-Agent: b\r\n", true),
        ("Host: a\r\nConnection: close\r\n", false),
        ("Host: a\r\nUser-Agent: b\r\nVia: 1.1 p\r\n", true),
        ("Host: a\r\nUser-Agent: b\r\nConnection: close\r\n", false),
        ("Host: a\r\nConnection: keep-alive\r\nuser-agent: b\r\nConnection: close\r\n", false),
    ] {
        let bytes = with_fields(fields);
        assert_eq!(request(&bytes).is_forwarded(), is_forwarded, "{fields}");
    }
}
