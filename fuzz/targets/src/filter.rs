//! Filters.

use huginn_net_core::{Analyzer as _, BpfInstruction, Decoder, Filter, Frame, Interest, Packet};
use huginn_net_http::{HttpAnalyzer, HttpSettings};
use huginn_net_tcp::{TcpAnalyzer, TcpSettings};
use huginn_net_tls::{TlsAnalyzer, TlsSettings};
use testkit::bpf;

use crate::LINK_TYPES;

/// Reads an expression and judges a frame by it.
///
/// The first byte chooses the link type. Then comes the length of the expression in two bytes, the expression, and the
/// frame.
pub fn filter(data: &[u8]) {
    let [choice, high, low, rest @ ..] = data else { return };
    let len = usize::from(u16::from_be_bytes([*high, *low])).min(rest.len());
    let Some((text, bytes)) = rest.split_at_checked(len) else { return };
    let text = String::from_utf8_lossy(text);
    let filter = match Filter::parse(&text) {
        Ok(filter) => filter,
        Err(error) => {
            assert!(text.get(error.span()).is_some(), "an error names a place in the text");
            assert_eq!(error.column(), error.span().start + 1);
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let opposite = Filter::parse(&format!("not ({text})")).unwrap_or_default();
    let Some(&link_type) = LINK_TYPES.get(usize::from(*choice) % LINK_TYPES.len()) else { return };
    let is_opposite = opposite != Filter::default();
    let analyzers = Analyzers::default();
    let mut wanted = Wanted::default();
    Decoder::default().decode_each(&Frame::new(bytes, link_type), |packet| {
        let takes = filter.matches(packet);
        // Of several headers, one may fit and another one not.
        let fits = takes || !is_opposite || opposite.matches(packet);
        assert!(fits, "a header fits a filter or its opposite");
        wanted.note(takes, &analyzers, packet);
    });
    for (interest, is_wanted) in
        [(Interest::Everything, wanted.any), (Interest::Hellos, wanted.hellos), (Interest::Tcp, wanted.tcp)]
    {
        if let Some(program) = filter.to_bpf_for(link_type, interest) {
            assert_sound(&program);
            let program: Vec<_> = program.iter().map(|it| (it.code, it.jt, it.jf, it.k)).collect();
            assert!(!is_wanted || bpf::run(&program, bytes) != 0, "{interest:?}: the kernel keeps it back");
        }
    }
}

/// Those whose interest the programs are made for.
struct Analyzers {
    tls: TlsAnalyzer,
    tcp: TcpAnalyzer,
    http: HttpAnalyzer,
}

impl Default for Analyzers {
    fn default() -> Self {
        let tls = TlsAnalyzer::new(TlsSettings::default());
        let tcp = TcpAnalyzer::new(TcpSettings::default());
        let http = HttpAnalyzer::new(HttpSettings::default());
        assert_eq!((tls.interest(), tcp.interest()), (Interest::Hellos, Interest::Tcp));
        assert_eq!(http.interest(), Interest::Tcp);
        Self { tls, tcp, http }
    }
}

/// Whether packets of a frame are taken by a filter, and by whom of those that are.
#[derive(Default)]
struct Wanted {
    any: bool,
    hellos: bool,
    tcp: bool,
}

impl Wanted {
    fn note(&mut self, takes: bool, analyzers: &Analyzers, packet: &Packet<'_>) {
        let Analyzers { tls, tcp, http } = analyzers;
        let of_tcp = tcp.affinity(packet).is_some() || http.affinity(packet).is_some();
        self.any |= takes;
        self.tcp |= takes && of_tcp;
        self.hellos |= takes && (of_tcp || tls.affinity(packet).is_some());
    }
}

/// Asserts that a program ends wherever it goes, as a kernel does before it takes one.
fn assert_sound(program: &[BpfInstruction]) {
    const RETURN: u16 = 0x06;
    const JUMP: u16 = 0x05;
    const CLASS: u16 = 0x07;
    for (at, instruction) in program.iter().enumerate() {
        let left = program.len() - at - 1;
        let BpfInstruction { code, jt, jf, k } = *instruction;
        match code & CLASS {
            _ if code == JUMP => assert!((k as usize) < left, "a jump beyond the end"),
            JUMP => assert!(usize::from(jt.max(jf)) < left, "a branch beyond the end"),
            RETURN => {}
            _ => assert!(left > 0, "nothing behind the last instruction"),
        }
    }
}
