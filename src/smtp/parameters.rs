//! The parameters of MAIL and BDAT that `smtp-proto` reads loosely, or not at all.

use smtp_proto::{
    MAIL_BODY_BINARYMIME, MAIL_BY_NOTIFY, MAIL_BY_RETURN, MAIL_CONPERM, MAIL_RET_FULL, MAIL_RET_HDRS,
    MailFrom,
};

/// Whether anything follows the path of MAIL.
pub(super) fn has_parameters(line: &[u8]) -> bool {
    let behind_path = line.iter().rposition(|byte| *byte == b'>').map_or(line, |end| &line[end + 1..]);
    !behind_path.trim_ascii().is_empty()
}

/// What MAIL says about the size. smtp-proto starts again at zero where a number is too large for it.
pub(super) fn declared_size(line: &[u8]) -> Option<usize> {
    let behind_path = line.iter().rposition(|byte| *byte == b'>').map_or(line, |end| &line[end + 1..]);
    let mut parameters = behind_path.split(u8::is_ascii_whitespace);
    parameters.find_map(|parameter| {
        let (name, value) = parameter.split_at_checked("SIZE=".len())?;
        if name.eq_ignore_ascii_case(b"SIZE=") { number(value) } else { None }
    })
}

/// The number in `BDAT 1000 LAST`, if it is one that can be counted to.
pub(super) fn chunk_size_in(command: &[u8]) -> Option<usize> {
    let mut words = command.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.nth(1).and_then(number).filter(|size| *size != usize::MAX)
}

/// A number in digits; the largest there is where it is larger.
fn number(digits: &[u8]) -> Option<usize> {
    let mut value = 0_usize;
    for digit in digits {
        let digit = digit.is_ascii_digit().then(|| usize::from(digit - b'0'))?;
        value = value.saturating_mul(10).saturating_add(digit);
    }
    (!digits.is_empty()).then_some(value)
}

/// Whether MAIL uses an extension that EHLO does not announce. AUTH is passed over: RFC 4954 5 has servers
/// ignore it that trust nobody.
pub(super) fn asks_for_what_is_not_announced<T>(from: &MailFrom<T>) -> bool {
    const REFUSED_FLAGS: u64 =
        MAIL_BODY_BINARYMIME | MAIL_RET_FULL | MAIL_RET_HDRS | MAIL_CONPERM | MAIL_BY_NOTIFY | MAIL_BY_RETURN;
    let MailFrom {
        address: _,
        flags,
        size: _,
        trans_id,
        by: _,
        env_id,
        solicit,
        mtrk,
        auth: _,
        hold_for,
        hold_until,
        mt_priority,
    } = from;
    flags & REFUSED_FLAGS != 0
        || trans_id.is_some()
        || env_id.is_some()
        || solicit.is_some()
        || mtrk.is_some()
        || *hold_for != 0
        || *hold_until != 0
        || *mt_priority != 0
}
