//! The server's side of an import of messages through the socket.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, BufReader};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{mpsc, watch};

use super::FRAMES_MAX;
use super::mails::{FrameDone, MailFrame, MailImport, MailsDone, MailsRequest};
use crate::control::host::Host;
use crate::control::protocol::Reply;
use crate::control::socket::{read_line, send};

/// Longest wait for further messages: their reader may be held up.
const MAILS_TIMEOUT: Duration = Duration::from_mins(5);
/// Replies that are put into their threads between two lines of progress.
const JOINED_PER_LINE: u64 = 10_000;

/// The next thing to answer.
enum Next {
    Frame(FrameDone),
    /// All messages were sent, or their sender is gone.
    End(Box<MailImport>),
    Failed(String),
}

/// Takes the messages of an import, ahead of their answers by as many frames as may be in progress.
pub(in crate::control) async fn serve(
    read: BufReader<OwnedReadHalf>,
    mut write: OwnedWriteHalf,
    host: &Host,
    request: &MailsRequest,
    stop: watch::Receiver<bool>,
) {
    let begun = MailImport::begin(host, request).map_err(Reply::from);
    let greeting = match &begun {
        Ok(import) => Reply::MailsReady { notes: import.notes() },
        Err(refusal) => refusal.clone(),
    };
    if send(&mut write, &greeting).await.is_err() {
        return;
    }
    let Ok(import) = begun else { return };
    let (frames, under_way) = mpsc::channel(FRAMES_MAX);
    tokio::join!(take(read, Box::new(import), frames, stop), answer(write, under_way));
}

/// Takes frames until the last one.
async fn take(
    mut read: BufReader<OwnedReadHalf>,
    mut import: Box<MailImport>,
    frames: mpsc::Sender<Next>,
    mut stop: watch::Receiver<bool>,
) {
    loop {
        let frame = tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => Err("the server stops".to_owned()),
            frame = read_frame(&mut read) => frame,
        };
        let next = match frame {
            Ok(Some((frame, bytes))) => match import.submit(frame, bytes).await {
                Ok(done) => Next::Frame(done),
                Err(error) => Next::Failed(error.to_string()),
            },
            Ok(None) => {
                // The receiver is gone only if nobody waits for an answer.
                let _ = frames.send(Next::End(import)).await;
                return;
            }
            Err(reason) => Next::Failed(reason),
        };
        let is_last = matches!(next, Next::Failed(_));
        if is_last {
            import.settle().await;
        }
        if frames.send(next).await.is_err() || is_last {
            return;
        }
    }
}

/// Reads the next frame; `None` after the last one, and if the sender is gone.
async fn read_frame(read: &mut BufReader<OwnedReadHalf>) -> Result<Option<(MailFrame, Vec<u8>)>, String> {
    let Some(line) = read_line(read, MAILS_TIMEOUT).await else { return Ok(None) };
    let frame = serde_json::from_str::<MailFrame>(&line).ok();
    let sized = frame.and_then(|frame| frame.size_bytes().map(|size_bytes| (frame, size_bytes)));
    let Some((frame, size_bytes)) = sized else { return Err("these are no messages".to_owned()) };
    if frame.mails.is_empty() {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(size_bytes);
    let mut rest = read.take(size_bytes as u64);
    let arrived = tokio::time::timeout(MAILS_TIMEOUT, rest.read_to_end(&mut bytes)).await;
    // What came of a message whose sender was killed is none.
    Ok(matches!(arrived, Ok(Ok(_))).then_some((frame, bytes)).filter(|(_, bytes)| bytes.len() == size_bytes))
}

/// Answers frames in their order, and puts replies into their threads behind the last one.
async fn answer(mut write: OwnedWriteHalf, mut under_way: mpsc::Receiver<Next>) {
    let mut is_heard = true;
    while let Some(next) = under_way.recv().await {
        let reply = match next {
            Next::Frame(done) => done.await.map_or_else(Reply::refusal, Reply::Mails),
            Next::End(import) => end(*import, &mut write).await,
            Next::Failed(text) => Reply::Failed { text },
        };
        // Messages that were sent are stored, and put into their threads, even if nobody waits for the answers.
        is_heard = is_heard && send(&mut write, &reply).await.is_ok();
    }
}

async fn end(mut import: MailImport, write: &mut OwnedWriteHalf) -> Reply {
    let (mut joined, mut told) = (0, 0);
    let reply = loop {
        match import.join_step().await {
            Ok(Some(now)) => joined = now,
            Ok(None) => break Reply::MailsDone(MailsDone { joined }),
            Err(error) => break Reply::refusal(error),
        }
        if told + JOINED_PER_LINE <= joined {
            told = joined;
            let _ = send(write, &Reply::Progress { text: format!("{joined} replies are in their threads") })
                .await;
        }
    };
    import.settle().await;
    reply
}
