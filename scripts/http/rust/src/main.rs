//! Servers and clients of Rust for `scripts/record-http.sh`, each with the defaults of its library.
//!
//! `record-http hyper|axum|actix PORT` serves on the loopback until it is ended, `record-http reqwest|ureq URL` asks twice.

use std::convert::Infallible;
use std::error::Error;
use std::net::SocketAddr;

use http_body_util::Full;
use hyper::body::Bytes;

type Failure = Box<dyn Error + Send + Sync>;

const TEXT: &str = "hello\n";

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["hyper", port] => serve_hyper(loopback(port)?).await,
        ["axum", port] => serve_axum(loopback(port)?).await,
        ["actix", port] => serve_actix(loopback(port)?).await,
        ["reqwest", url] => ask_with_reqwest(url).await,
        ["ureq", url] => ask_with_ureq(url),
        _ => Err("usage: record-http hyper|axum|actix PORT, record-http reqwest|ureq URL".into()),
    }
}

fn loopback(port: &str) -> Result<SocketAddr, Failure> {
    Ok(([127, 0, 0, 1], port.parse()?).into())
}

async fn serve_hyper(address: SocketAddr) -> Result<(), Failure> {
    let listener = tokio::net::TcpListener::bind(address).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        let service =
            hyper::service::service_fn(|request: hyper::Request<hyper::body::Incoming>| async move {
                let is_known = request.uri().path() == "/";
                let response = hyper::Response::builder().status(if is_known { 200 } else { 404 });
                Ok::<_, Infallible>(response.body(Full::new(Bytes::from(TEXT))).unwrap_or_default())
            });
        let io = hyper_util::rt::TokioIo::new(stream);
        tokio::spawn(hyper::server::conn::http1::Builder::new().serve_connection(io, service));
    }
}

async fn serve_axum(address: SocketAddr) -> Result<(), Failure> {
    use axum::response::Redirect;
    use axum::routing::get;

    let routes = axum::Router::new()
        .route("/", get(async || TEXT))
        .route("/r", get(async || Redirect::permanent("/")));
    Ok(axum::serve(tokio::net::TcpListener::bind(address).await?, routes).await?)
}

async fn serve_actix(address: SocketAddr) -> Result<(), Failure> {
    use actix_web::{App, HttpServer, web};

    let served =
        HttpServer::new(|| App::new().route("/", web::to(async || TEXT)).service(web::redirect("/r", "/")));
    Ok(served.workers(1).bind(address)?.run().await?)
}

async fn ask_with_reqwest(url: &str) -> Result<(), Failure> {
    let client = reqwest::Client::new();
    client.get(url).send().await?.bytes().await?;
    client.post(url).body(TEXT).send().await?.bytes().await?;
    Ok(())
}

fn ask_with_ureq(url: &str) -> Result<(), Failure> {
    ureq::get(url).call()?.body_mut().read_to_string()?;
    // nginx has no POST for a file.
    let posted = ureq::post(url).send(TEXT);
    posted.map(drop).or_else(|error| match error {
        ureq::Error::StatusCode(405) => Ok(()),
        error => Err(error.into()),
    })
}
