#!/usr/bin/env python3
"""What members receive of the corpus, looked at by Python's email package, which other people wrote.

Usage: tests/corpus.py MESSAGES COPIES: two folders of files with the same names. For each message, the copy has no
defect that the message has not, and every part of it that is not text goes out byte for byte.
"""

import email
import email.policy
import sys
from collections import Counter
from pathlib import Path

POLICIES = (email.policy.default, email.policy.compat32)
# Mail with more than one of these is a message of this corpus, and says so in its name.
LISTS_OWN = ("List-Id", "List-Post", "List-Unsubscribe", "CFBL-Address", "Precedence", "Feedback-ID")


def read(path):
    """The bytes of a message as SMTP carries it."""
    return path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def defects(message):
    """The kinds of everything that is wrong in a message, in its structure and in its headers."""
    found = Counter()
    for part in message.walk():
        if not part.is_multipart():
            part.get_payload(decode=True)
        found.update(type(defect).__name__ for defect in part.defects)
        for name, value in part.items():
            found.update(f"{name}: {type(defect).__name__}" for defect in getattr(value, "defects", ()))
    return found


def payloads(message):
    """The contents of all parts that are no text of the message."""
    parts = (part for part in message.walk() if not part.is_multipart())
    return Counter(
        (part.get_content_type(), part.get_payload())
        for part in parts
        if part.get_content_type() not in ("text/plain", "text/html") or part.get_filename()
    )


def problems(original, copy):
    for policy in POLICIES:
        before = email.message_from_bytes(original, policy=policy)
        after = email.message_from_bytes(copy, policy=policy)
        new = defects(after) - defects(before)
        if new:
            yield f"new defects: {dict(new)}"
    before, after = email.message_from_bytes(original), email.message_from_bytes(copy)
    if payloads(before) != payloads(after):
        yield "a part that is no text was changed"
    for name in LISTS_OWN:
        if len(after.get_all(name, ())) != 1:
            yield f"{name} is not there once"
    if not copy.endswith(b"\r\n") or b"\n" in copy.replace(b"\r\n", b""):
        yield "a line does not end in CRLF"
    if any(998 < len(line) for line in copy.split(b"\r\n")):
        yield "a line is too long"


def main():
    messages, copies = map(Path, sys.argv[1:])
    names = sorted(path.name for path in messages.glob("*.eml"))
    failed = 0
    for name in names:
        for problem in problems(read(messages / name), (copies / name).read_bytes()):
            print(f"{name}: {problem}")
            failed += 1
    print(f"corpus: {len(names)} messages, {failed} problems")
    return 1 if failed or len(names) < 60 else 0


if __name__ == "__main__":
    sys.exit(main())
