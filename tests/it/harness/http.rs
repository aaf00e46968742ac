//! An HTTP client that says exactly what a test tells it to: one request a connection, over a real socket.

use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::contract;

/// How long an answer may take before the test fails.
const ANSWER_MAX: Duration = Duration::from_mins(5);

/// Somebody who calls the API: nobody in particular, or the holder of a key.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    addr: SocketAddr,
    /// Where its connections come from; the system decides where unset.
    source: Option<IpAddr>,
    /// The host that its requests name; the server's address where unset.
    host: Option<String>,
    authorization: Option<String>,
}

/// An answer of the server.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    /// Status code.
    pub(crate) status: u16,
    /// Header fields in order, names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    /// The body as text; blank if it is a file and no text.
    pub(crate) body: String,
    /// The body as it is.
    pub(crate) bytes: Vec<u8>,
}

impl Client {
    /// A client without a key.
    pub(crate) fn new(addr: SocketAddr) -> Client {
        Client { addr, source: None, host: None, authorization: None }
    }

    /// The key that it shows.
    pub(crate) fn key(&self) -> &str {
        let shown = self.authorization.as_deref().and_then(|text| text.strip_prefix("Bearer "));
        shown.expect("somebody in particular")
    }

    /// A client that shows `key` as a bearer.
    pub(crate) fn with_key(addr: SocketAddr, key: &str) -> Client {
        Client { addr, source: None, host: None, authorization: Some(format!("Bearer {key}")) }
    }

    /// The same caller at another address of the server.
    pub(crate) fn at(&self, addr: SocketAddr) -> Client {
        Client { addr, ..self.clone() }
    }

    /// The same server with another `Authorization` field.
    pub(crate) fn with_authorization(&self, authorization: &str) -> Client {
        Client { authorization: Some(authorization.to_owned()), ..self.clone() }
    }

    /// The same caller from another address of this machine.
    pub(crate) fn at_source(&self, source: &str) -> Client {
        Client { source: Some(source.parse().expect("an address")), ..self.clone() }
    }

    /// The same caller, who names this host.
    pub(crate) fn at_host(&self, host: &str) -> Client {
        Client { host: Some(host.to_owned()), ..self.clone() }
    }

    async fn connect(&self) -> std::io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        if let Some(source) = self.source {
            socket.bind(SocketAddr::new(source, 0))?;
        }
        socket.connect(self.addr).await
    }

    /// GET.
    pub(crate) async fn get(&self, path: &str) -> Response {
        self.request("GET", path, &[], b"").await
    }

    /// DELETE.
    pub(crate) async fn delete(&self, path: &str) -> Response {
        self.request("DELETE", path, &[], b"").await
    }

    /// POST of a form.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        self.form("POST", path, fields).await
    }

    /// PUT of a form.
    pub(crate) async fn put(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        self.form("PUT", path, fields).await
    }

    /// POST of JSON.
    pub(crate) async fn post_json(&self, path: &str, body: &Value) -> Response {
        self.json("POST", path, body).await
    }

    /// PUT of JSON.
    pub(crate) async fn put_json(&self, path: &str, body: &Value) -> Response {
        self.json("PUT", path, body).await
    }

    /// POST of `multipart/form-data`.
    pub(crate) async fn post_multipart(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        let mut body = String::new();
        for (name, value) in fields {
            let head = format!("Content-Disposition: form-data; name=\"{name}\"");
            let _ = write!(body, "--part\r\n{head}\r\n\r\n{value}\r\n");
        }
        body.push_str("--part--\r\n");
        let kind = ("Content-Type", "multipart/form-data; boundary=part");
        self.request("POST", path, &[kind], body.as_bytes()).await
    }

    async fn form(&self, method: &str, path: &str, fields: &[(&str, &str)]) -> Response {
        let pairs = fields.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value)));
        let body = pairs.collect::<Vec<_>>().join("&");
        let kind = ("Content-Type", "application/x-www-form-urlencoded");
        self.request(method, path, &[kind], body.as_bytes()).await
    }

    async fn json(&self, method: &str, path: &str, body: &Value) -> Response {
        let kind = ("Content-Type", "application/json");
        self.request(method, path, &[kind], body.to_string().as_bytes()).await
    }

    /// Any request with any header fields; the answer must be one that the description allows.
    pub(crate) async fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Response {
        let host = self.host.clone().unwrap_or_else(|| self.addr.to_string());
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        if let Some(authorization) = &self.authorization {
            let _ = write!(head, "Authorization: {authorization}\r\n");
        }
        for (name, value) in headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        let _ = write!(head, "Content-Length: {}\r\n\r\n", body.len());
        let response = self.raw(&[head.as_bytes(), body].concat()).await;
        contract::check(method, path, &response);
        response
    }

    /// Sends bytes as they are and keeps the connection open.
    pub(crate) async fn open(&self, bytes: &[u8]) -> Connection {
        let mut stream = self.connect().await.expect("the server listens");
        stream.write_all(bytes).await.expect("the server reads");
        Connection(stream)
    }

    /// The head of a request with a form of so many bytes, which does not follow.
    pub(crate) fn head(&self, method: &str, path: &str, length: usize) -> String {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
        if let Some(authorization) = &self.authorization {
            let _ = write!(head, "Authorization: {authorization}\r\n");
        }
        let kind = "application/x-www-form-urlencoded";
        let _ = write!(head, "Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n");
        head
    }

    /// Sends bytes as they are and reads until the server closes the connection.
    pub(crate) async fn raw(&self, bytes: &[u8]) -> Response {
        let exchange = async {
            let mut stream = self.connect().await.expect("the server listens");
            // A server that has refused the head closes before it has read the body.
            let (mut reader, mut writer) = stream.split();
            let mut answer = Vec::new();
            let (_, read) = tokio::join!(writer.write_all(bytes), reader.read_to_end(&mut answer));
            assert!(read.is_ok() || !answer.is_empty(), "no answer: {read:?}");
            answer
        };
        let answer = tokio::time::timeout(ANSWER_MAX, exchange).await.expect("the server answers in time");
        Response::parse(&answer)
    }
}

/// A connection that a test holds open.
pub(crate) struct Connection(TcpStream);

impl Connection {
    /// Sends more.
    pub(crate) async fn send(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).await.expect("the server reads");
    }

    /// The answer of HTTP, which must have a length.
    pub(crate) async fn response(&mut self) -> Response {
        let mut answer = Vec::new();
        let reading = async {
            loop {
                assert!(0 < self.0.read_buf(&mut answer).await.expect("an answer"), "no answer");
                if let Some(end) = answer.windows(4).position(|window| window == b"\r\n\r\n") {
                    let head = String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase();
                    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
                    if answer.len() == end + 4 + length.map_or(0, |length| length.parse().expect("a number"))
                    {
                        break;
                    }
                }
            }
        };
        tokio::time::timeout(ANSWER_MAX, reading).await.expect("the server answers in time");
        Response::parse(&answer)
    }

    /// Whether the server has closed it.
    pub(crate) fn is_closed(&self) -> bool {
        let mut byte = [0];
        match self.0.try_read(&mut byte) {
            Ok(bytes) => bytes == 0,
            Err(error) => error.kind() != std::io::ErrorKind::WouldBlock,
        }
    }
}

impl Response {
    pub(crate) fn parse(bytes: &[u8]) -> Response {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("an answer has a head");
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut lines = head.split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|code| code.parse().ok());
        let fields = lines.filter_map(|line| line.split_once(':'));
        let headers =
            fields.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect();
        let mut response = Response {
            status: status.expect("an answer has a status"),
            headers,
            body: String::new(),
            bytes: Vec::new(),
        };
        let body = &bytes[end + 4..];
        let chunked = response.header("transfer-encoding") == Some("chunked");
        let body = if chunked { unchunk(body) } else { body.to_vec() };
        let kind = response.header("content-type").unwrap_or_default();
        let is_file = [
            "application/octet-stream",
            "application/gzip",
            "application/zip",
            "application/pdf",
            "image/",
            "message/",
        ]
        .iter()
        .any(|start| kind.starts_with(start));
        response.body = match String::from_utf8(body.clone()) {
            Err(_) if is_file => String::new(),
            text => text.expect("answers are UTF-8, but for files"),
        };
        response.bytes = body;
        response
    }

    /// The first field of this name, in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    #[track_caller]
    pub(crate) fn value(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The body of a success.
    #[track_caller]
    pub(crate) fn good(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.value()
    }

    /// An error of the API with this status, whose message contains `text`.
    #[track_caller]
    pub(crate) fn error(&self, status: u16, text: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        let value = self.value();
        assert_eq!(value["is_error"], true, "{}", self.body);
        let message = value["message"].as_str().unwrap_or_else(|| panic!("no message: {}", self.body));
        assert!(message.contains(text), "{message:?} does not contain {text:?}");
        value
    }
}

/// Undoes `Transfer-Encoding: chunked` (RFC 9112 7.1).
fn unchunk(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = bytes.windows(2).position(|window| window == b"\r\n").expect("a chunk has a size");
        let size = std::str::from_utf8(&bytes[..end]).expect("a size is ASCII");
        let size = usize::from_str_radix(size.split(';').next().unwrap_or_default().trim(), 16);
        let size = size.expect("a size is hexadecimal");
        if size == 0 {
            return body;
        }
        body.extend_from_slice(&bytes[end + 2..end + 2 + size]);
        bytes = &bytes[end + 4 + size..];
    }
}

/// `text` as it stands in a path, a query or a form.
pub(crate) fn encode(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

mod tests {
    use super::*;

    #[test]
    fn a_chunked_answer_is_put_together() {
        let answer =
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[1\r\n3;x\r\n,2]\r\n0\r\n\r\n";
        let response = Response::parse(answer);
        assert_eq!(response.good(), serde_json::json!([1, 2]));
    }
}
