//! The HTTPS client that speaks to the authority: the server's own, which finds names as the rest of the server does.

use std::pin::Pin;
use std::sync::Arc;

use http_body_util::{BodyExt as _, Full};
use hyper::Request;
use hyper::body::Bytes;
use instant_acme::{BodyWrapper, BytesResponse, Error, HttpClient};

use crate::config::{AcmeConfig, Config, Trust};
use crate::net::dns::MxError;
use crate::net::https::OperatorClient;

/// Sends the requests of an order.
pub(super) struct HttpsClient(Arc<OperatorClient>);

impl HttpsClient {
    /// A client that trusts the public authorities and those that the operator names for this purpose.
    pub(super) fn new(config: &Config, acme: &AcmeConfig) -> Result<HttpsClient, MxError> {
        let authorities = [config.trust.authorities.clone(), acme.authorities.clone()].concat();
        let trust = Trust { authorities, ..config.trust.clone() };
        let config = Config { trust, ..config.clone() };
        Ok(HttpsClient(Arc::new(OperatorClient::new(&config)?)))
    }
}

impl HttpClient for HttpsClient {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let client = Arc::clone(&self.0);
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let body = body.collect().await.map_err(|error| Error::Other(Box::new(error)))?.to_bytes();
            let answer = client.fetch(Request::from_parts(head, Full::new(body))).await;
            let answer = answer.map_err(|error| Error::Other(Box::new(error)))?;
            Ok(BytesResponse::from(answer.map(Full::new)))
        })
    }
}
