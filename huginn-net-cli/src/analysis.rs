//! The analysis that the arguments ask for.

use huginn_net::{Filter, HttpSettings, HuginnNet, PoolConfig, Settings, TcpSettings, TlsSettings};

use crate::args::{AnalysisArgs, Protocol};
use crate::exit::Outcome;
use crate::messages::Messages;
use crate::{filter, signatures};

/// The filter, if there is one. What is wrong with it has been said when this fails.
pub(crate) fn filter(args: &AnalysisArgs, messages: &Messages) -> Result<Option<Filter>, Outcome> {
    args.filter.as_deref().map(|expression| filter::parse(expression, messages)).transpose()
}

/// What is analyzed, and with which signatures. What is wrong with them has been said when this fails.
pub(crate) fn settings(args: &AnalysisArgs, verbose: bool, messages: &Messages) -> Result<Settings, Outcome> {
    let database = signatures::load(&args.signatures, verbose, messages)?;
    let max_flows = args.max_flows.map(|flows| usize::try_from(flows).unwrap_or(usize::MAX));
    let mut tcp = TcpSettings::default().with_report_unpaired(args.unpaired);
    tcp.max_flows = max_flows.unwrap_or(tcp.max_flows);
    tcp.flow_timeout = args.flow_timeout.unwrap_or(tcp.flow_timeout);
    let mut tls = TlsSettings::default();
    tls.max_flows = max_flows.unwrap_or(tls.max_flows);
    tls.flow_timeout = args.flow_timeout.unwrap_or(tls.flow_timeout);
    let mut http = HttpSettings::default();
    http.max_flows = max_flows.unwrap_or(http.max_flows);
    http.flow_timeout = args.flow_timeout.unwrap_or(http.flow_timeout);

    let settings = Settings::default()
        .with_database(Some(database))
        .with_tcp(args.wants(Protocol::Tcp).then_some(tcp))
        .with_tls(args.wants(Protocol::Tls).then_some(tls))
        .with_http(args.wants(Protocol::Http).then_some(http));
    Ok(settings)
}

/// The pipeline that analyzes what the filter wants, in one thread or in those of a pool.
pub(crate) fn pipeline(settings: Settings, filter: Option<Filter>, pool: Option<PoolConfig>) -> HuginnNet {
    let mut pipeline = HuginnNet::with_settings(settings);
    if let Some(filter) = filter {
        pipeline = pipeline.with_filter(filter);
    }
    if let Some(pool) = pool {
        pipeline = pipeline.with_pool(pool);
    }
    pipeline
}
