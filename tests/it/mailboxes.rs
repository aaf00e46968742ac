//! Mailbox files: facts that hold for any bytes, and files that other programs wrote.

use crier::clock::Timestamp;
use crier::mail::mbox::{self, Beginning, Piece, Quoting, Splitter};
use crier::mail::parse_leniently;
use proptest::prelude::*;

const BYTES_MAX: usize = 1 << 20;

/// Appends a message to a mailbox in the form mboxrd.
fn append(out: &mut Vec<u8>, message: &[u8], sender: &str, time: Timestamp) {
    out.extend_from_slice(format!("From {sender} {}\n", time.asctime()).as_bytes());
    for line in message.strip_suffix(b"\n").unwrap_or(message).split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.iter().skip_while(|byte| **byte == b'>').take(5).eq(b"From ") {
            out.push(b'>');
        }
        out.extend_from_slice(line);
        out.push(b'\n');
    }
    out.push(b'\n');
}

/// The pieces of a file that is read in parts of this size.
fn pieces(file: &[u8], part_bytes: usize, bytes_max: usize) -> Vec<Piece> {
    let mut splitter = Splitter::new(Quoting::Mboxrd, bytes_max);
    let mut pieces = Vec::new();
    for part in file.chunks(part_bytes) {
        splitter.push(part, &mut |piece| pieces.push(piece));
    }
    splitter.finish(&mut |piece| pieces.push(piece));
    pieces
}

/// The messages of a file, as they are stored.
fn messages(file: &[u8]) -> Vec<Vec<u8>> {
    let stored = |piece| match piece {
        Piece::Mail { bytes, .. } => parse_leniently(bytes).raw.to_vec(),
        other => panic!("{other:?}"),
    };
    pieces(file, 1000, BYTES_MAX).into_iter().map(stored).collect()
}

/// Bytes of which mailboxes are made, so that interesting places are hit.
fn mailbox_bytes() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        Just(b"From a@x.org Mon Jan  1 15:04:05 2001\n".to_vec()),
        Just(b"From ".to_vec()),
        Just(b">From ".to_vec()),
        Just(b"Subject: a\n".to_vec()),
        Just(b"Content-Length: 3\n".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\r".to_vec()),
        Just(b"\xef\xbb\xbf".to_vec()),
        prop::collection::vec(any::<u8>(), 0..20),
    ];
    prop::collection::vec(word, 0..40).prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn messages_that_are_written_come_back(messages_in in prop::collection::vec(mailbox_bytes(), 1..5)) {
        let stored: Vec<Vec<u8>> = messages_in
            .into_iter()
            .map(|message| {
                let raw = parse_leniently(message).raw;
                // A mailbox ends every message with a line end.
                if raw.ends_with(b"\r\n") { raw.to_vec() } else { [&raw, b"\r\n".as_slice()].concat() }
            })
            .collect();
        let mut file = Vec::new();
        for message in &stored {
            append(&mut file, message, "a@x.org", Timestamp::from_ms(978_361_445_000));
        }
        prop_assert_eq!(messages(&file), stored);
    }

    #[test]
    fn any_bytes_are_split_the_same_in_parts_of_any_size(
        file in prop_oneof![mailbox_bytes(), prop::collection::vec(any::<u8>(), 0..2000)],
        part_bytes in 1_usize..200,
    ) {
        let whole = pieces(&file, file.len().max(1), BYTES_MAX);
        prop_assert_eq!(&pieces(&file, part_bytes, BYTES_MAX), &whole);
        for piece in whole {
            if let Piece::Mail { at, bytes, .. } = piece {
                prop_assert!(file[usize::try_from(at).unwrap()..].starts_with(b"From "));
                let _ = mbox::pipermail::restore(&bytes);
                let _ = parse_leniently(bytes).content();
            }
        }
    }

    #[test]
    fn the_beginning_of_any_file_is_told(file in mailbox_bytes()) {
        // Of a doubtful line it is told before the message in which it stands.
        let pieces = pieces(&file, 100, BYTES_MAX);
        let first = pieces.iter().find(|piece| !matches!(piece, Piece::Doubtful { .. }));
        let is_mailbox = matches!(first, Some(Piece::Mail { .. }));
        prop_assert_eq!(mbox::beginning(&file) == Beginning::Mailbox, is_mailbox);
    }
}

#[test]
fn a_message_that_is_too_large_is_told_and_the_others_are_read() {
    let mut file = Vec::new();
    for size in [10, 50_000, 10] {
        let message = format!("Subject: {size}\n\n{}\n", "x\n".repeat(size));
        append(&mut file, message.as_bytes(), "a@x.org", Timestamp::from_ms(0));
    }
    for part_bytes in [100, 4096, file.len()] {
        let shown: Vec<String> = pieces(&file, part_bytes, 10_000)
            .into_iter()
            .map(|piece| match piece {
                Piece::Mail { at, bytes, .. } => format!("{at}: {} bytes", bytes.len()),
                Piece::TooLarge { at, size_bytes } => format!("{at}: {size_bytes} bytes are too large"),
                Piece::Doubtful { at } => format!("{at}: may begin a message"),
                Piece::Stray { size_bytes } => format!("{size_bytes} stray bytes"),
            })
            .collect();
        assert_eq!(shown, ["0: 34 bytes", "73: 100056 bytes are too large", "100129: 34 bytes"]);
    }
}

#[test]
fn prose_and_missing_blank_lines_confuse_nobody() {
    let file = b"\xef\xbb\xbf\n\nFrom a@x.org Mon Jan  1 15:04:05 2001\nSubject: 1\n\none\n\nFrom here on it is prose.\n\
        From a@x.org Mon Jan  1 15:04:05 2001 we hear\n\nFrom time\nto time\nFrom b@x.org Mon Jan  1 15:04:06 2001\n\
        Subject: 2\n\ntwo\n\nFrom c@x.org\nSubject: 3\n\nthree";
    let told: Vec<String> =
        messages(file).iter().map(|message| String::from_utf8(message.clone()).unwrap()).collect();
    let [one, two, three] = told.as_slice() else { panic!("{told:?}") };
    assert!(one.ends_with("From time\r\nto time\r\n"), "{one}");
    assert_eq!(two, "Subject: 2\r\n\r\ntwo\r\n");
    assert_eq!(three, "Subject: 3\r\n\r\nthree");
}

#[test]
fn text_before_the_first_message_is_told() {
    let pieces = pieces(b"hello\n\nFrom a@x.org Mon Jan  1 15:04:05 2001\nSubject: 1\n\none\n", 7, BYTES_MAX);
    assert_eq!(pieces[0], Piece::Stray { size_bytes: 7 });
    assert!(matches!(&pieces[1..], [Piece::Mail { at: 7, .. }]), "{pieces:?}");
}

/// Mozilla's older files have neither a date in the separator nor an empty line before it.
#[test]
fn separators_without_a_date_and_an_empty_line_are_read_or_told() {
    let file = b"From -\nX-Mozilla-Status: 0001\nSubject: 1\n\none\nFrom - \r\nReturn-Path: <a@x.org>\nSubject: 2\n\n\
        two\nFrom -\nto -\nFrom - Note: it rains\nFrom -\nFrom: b@x.org\nSubject: 3\n\nthree";
    let told: Vec<String> =
        messages(file).iter().map(|message| String::from_utf8(message.clone()).unwrap()).collect();
    let [one, two, three] = told.as_slice() else { panic!("{told:?}") };
    assert!(one.ends_with("\r\n\r\none\r\n"), "{one}");
    assert!(two.ends_with("two\r\nFrom -\r\nto -\r\nFrom - Note: it rains\r\n"), "{two}");
    assert!(three.starts_with("From: b@x.org\r\n"), "{three}");

    let file = b"From a@x.org Mon Jan  1 15:04:05 2001\nSubject: 1\n\none\nFrom b@x.org\nSubject: 2\n\ntwo\n";
    for part_bytes in [1, 7, 1000] {
        let found = pieces(file, part_bytes, BYTES_MAX);
        assert!(
            matches!(found.as_slice(), [Piece::Doubtful { at: 54 }, Piece::Mail { at: 0, .. }]),
            "{found:?}"
        );
    }
}
