//! What judgments promise.

use huginn_net_db::{Assessment, Channel, Database, HttpJudgment, Verdict};
use huginn_net_http::{AkamaiFingerprint, Http2Request, Http2Response};

/// A verdict has its reasons, and alternatives are other labels that are worth no more.
pub(crate) fn check_judgment(judgment: &HttpJudgment<'_>) {
    check_assessment(&judgment.assessment);
    let Some(found) = judgment.found else { return };
    for (record, score) in found.alternatives() {
        assert!(score <= found.score && record.label.to_string() != found.record.label.to_string());
    }
}

/// The same judgment, of a head that may have been remembered.
pub(crate) fn assert_same_judgment(one: &HttpJudgment<'_>, other: &HttpJudgment<'_>) {
    assert_eq!((one.assessment, one.system), (other.assessment, other.system));
    let [one, other] = [one, other].map(|judgment| {
        judgment.found.map(|found| {
            let others = found.alternatives().map(|(record, score)| (record.line, score)).collect::<Vec<_>>();
            (found.record.line, found.quality, found.score, others)
        })
    });
    assert_eq!(one, other);
}

/// A request of HTTP/2, as the first one of its connection if its opening is there. Who starts how matters to what is
/// found and to nothing that refutes, and in the clear nobody lies about that.
pub(crate) fn check_http2_request(request: &Http2Request, opening: Option<&AkamaiFingerprint>) {
    let database = Database::bundled();
    for channel in [Channel::Tls, Channel::Cleartext] {
        let judged = database.judge_http2_request(request, opening, channel);
        check_assessment(&judged.assessment);
        assert!(judged.found.is_none() || opening.is_some());
        assert!(channel == Channel::Tls || judged.assessment.verdict != Verdict::Contradiction);
        let later = database.judge_http2_request(request, None, channel);
        assert!(later.found.is_none() && later.system == judged.system);
        let is_impossible = |verdict| verdict == Verdict::Impossible;
        assert_eq!(is_impossible(later.assessment.verdict), is_impossible(judged.assessment.verdict));
    }
}

/// A response of HTTP/2.
pub(crate) fn check_http2_response(response: &Http2Response) {
    let assessment = Database::bundled().judge_http2_response(response).assessment;
    check_assessment(&assessment);
    assert!(!assessment.verdict.is_dishonest());
}

fn check_assessment(assessment: &Assessment) {
    assert!(assessment.reasons().next().is_some());
    let is_called_dishonest = assessment.flags().any(|flag| flag == "dishonest");
    assert_eq!(assessment.verdict.is_dishonest(), is_called_dishonest);
}
