#!/usr/bin/env python3
"""Reads a digest from standard input as Python's email package does, and prints its structure and its messages.

`tests/it/digests.rs` runs it: what another reader makes of a digest is what members see.
"""

import email
import email.policy
import sys


def main() -> None:
    mail = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
    defects = [part.get_content_type() for part in mail.walk() if part.defects]
    print("defects:", defects)
    print("subject:", mail["Subject"])
    contents, digest = mail.get_payload()
    print("parts:", mail.get_content_type(), contents.get_content_type(), digest.get_content_type())
    print("alternatives:", *[part.get_content_type() for part in contents.get_payload()])
    for part in digest.get_payload():
        inner = part.get_payload(0)
        body = inner.get_body(("plain", "html"))
        # A part without fields counts as false.
        text = body.get_content().strip() if body is not None else ""
        files = [attachment.get_filename() for attachment in inner.iter_attachments()]
        print("message:", part.get_content_type(), part.get_filename(), "|", inner["Subject"], "|", inner["From"],
              "|", text, "|", files)


main()
