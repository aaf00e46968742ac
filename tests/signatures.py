#!/usr/bin/env python3
"""DKIM from end to end, with tools that other people wrote: dkimpy signs posts and verifies what members receive,
aiosmtpd takes it. A list that changes nothing leaves an author's signature good; what a list changes loses it, and
is signed by the list's domain, in RSA and Ed25519. What was found out about the author is sealed (ARC).

Usage: tests/signatures.py path/to/crier, with the packages dkimpy, pynacl and aiosmtpd, and with dnsmasq.
"""

import base64
import email
import email.utils
import queue
import re
import smtplib
import sys
import tempfile
import time

import dkim
import nacl.signing
from aiosmtpd.controller import Controller

from programs import Dns, Server, free_port

AUTHOR = "ada@sender.example"
MEMBER = "member@member.example"
WAIT_MAX_S = 180


def post(body, content_type="text/plain; charset=utf-8", encoding="7bit", **fields):
    head = {
        "From": f"Ada Lovelace <{AUTHOR}>",
        "To": "news@lists.example.org",
        "Subject": "Tea at five",
        "Date": email.utils.formatdate(),
        "Message-ID": email.utils.make_msgid(domain="sender.example"),
        "MIME-Version": "1.0",
        "Content-Type": content_type,
        "Content-Transfer-Encoding": encoding,
    } | fields
    lines = [f"{name}: {value}" for name, value in head.items()] + ["", body]
    return "\n".join(lines).replace("\n", "\r\n").encode()


# What authors send: each of them reaches the members as it was signed.
POSTS = {
    "plain text": post("Who brings the scones?\n"),
    "text that ends in empty lines and blanks": post("Scones.  \n\t\n\n\n"),
    "raw text beyond ASCII, and a long subject": post(
        "Grüße – 茶\n", encoding="8bit", Subject="=?utf-8?q?Gr=C3=BC=C3=9Fe?=\n =?utf-8?q?_und_Tee?= um fünf"
    ),
    "quoted-printable": post("Gr=C3=BC=C3=9Fe=20\n", encoding="quoted-printable"),
    "alternatives": post(
        "--b\nContent-Type: text/plain\n\nTea\n--b\nContent-Type: text/html\n\n<p>Tea</p>\n--b--\n",
        content_type="multipart/alternative;\n\tboundary=b",
    ),
    "headers of many kinds": post("Tea\n", **{"Cc": "x@y.example", "Reply-To": AUTHOR, "X-Odd":  "a  b\n\tc"}),
    "no body": post(""),
}
COVERED = [b"from", b"to", b"cc", b"subject", b"date", b"message-id", b"reply-to", b"mime-version", b"content-type",
           b"content-transfer-encoding", b"x-odd"]


def check(condition, problem):
    if not condition:
        sys.exit(f"signatures: {problem}")


class Sink:
    """Takes every message and keeps it."""

    def __init__(self):
        self.mails = queue.Queue()

    async def handle_DATA(self, server, session, envelope):
        self.mails.put(envelope.original_content)
        return "250 2.0.0 Kept"


def signed(message, private_key, header, body):
    """The message with the signature of its author in front, and the record that its key has in DNS."""
    signature = dkim.sign(message, b"s1", b"sender.example", private_key, canonicalize=(header, body),
                          signature_algorithm=b"ed25519-sha256",
                          include_headers=[name for name in COVERED if re.search(rb"(?im)^%s:" % name, message)])
    return signature + message


def asking(dns):
    """What dkimpy asks for the records of `dns`."""

    def txt(name, timeout=5):
        found = dns.get(name.decode().rstrip("."))
        return found and found.encode()

    return txt


def results(copy, dns):
    """Whether each signature of a copy is good, by its domain and algorithm."""

    txt = asking(dns)
    fields = email.message_from_bytes(copy).get_all("DKIM-Signature", [])
    found = {}
    for index, field in enumerate(fields):
        tags = dict(tag.strip().split("=", 1) for tag in re.sub(r"\s", "", field).strip(";").split(";"))
        found[tags["d"], tags["a"]] = dkim.DKIM(copy).verify(index, dnsfunc=txt)
    return found


def check_sealed(kind, copy, dns):
    """Whether a copy says what was found out about its author, in a chain of one seal that holds."""
    chain, sets, reason = dkim.arc_verify(copy, dnsfunc=asking(dns))
    check(chain == dkim.CV_Pass and len(sets) == 1, f"{kind}: the chain is {chain}, {reason}")
    said = email.message_from_bytes(copy)["ARC-Authentication-Results"]
    check(said.startswith("i=1; mx.example.org;") and "dkim=pass header.d=sender.example" in said, f"{kind}: {said}")
    broken, _, _ = dkim.arc_verify(copy.replace(b"Ada Lovelace", b"Ada Byron"), dnsfunc=asking(dns))
    check(broken == dkim.CV_Fail, f"{kind}: a changed copy is sealed all the same")


OURS = {("lists.example.org", "rsa-sha256"): True, ("lists.example.org", "ed25519-sha256"): True}
AUTHORS = {("sender.example", "ed25519-sha256"): True}


def run(server, sink, dns, private_key):
    def copy_of(message):
        with smtplib.SMTP("127.0.0.1", server.ports["smtp"], "client.sender.example", WAIT_MAX_S) as client:
            client.sendmail(AUTHOR, ["news@lists.example.org"], message, mail_options=["BODY=8BITMIME"])
        try:
            return sink.mails.get(timeout=WAIT_MAX_S)
        except queue.Empty:
            sys.exit("signatures: a copy did not arrive")

    server.call("POST", "/contacts/", emails=MEMBER, lists="news")
    server.call("PUT", "/lists/news/", moderate="0")
    for kind, message in POSTS.items():
        for canonicalization in [(b"relaxed", b"relaxed"), (b"simple", b"simple")]:
            # A list takes a Message-ID once.
            fresh = email.utils.make_msgid(domain="sender.example").encode()
            message = re.sub(rb"(?m)^Message-ID: .*?\r$", b"Message-ID: " + fresh + b"\r", message)
            copy = copy_of(signed(message, private_key, *canonicalization))
            found = results(copy, dns)
            check(found == OURS | AUTHORS, f"{kind}, {canonicalization}: {found}")
            check_sealed(f"{kind}, {canonicalization}", copy, dns)
    server.call("PUT", "/lists/news/", subject_prefix="[news]", message_footer="For $FIRSTNAME: $UNSUBSCRIBE",
                rewrite_sender="1", merge_tags_enabled="1", truncate="5000")
    for kind, message in POSTS.items():
        fresh = email.utils.make_msgid(domain="sender.example").encode()
        message = re.sub(rb"(?m)^Message-ID: .*?\r$", b"Message-ID: " + fresh + b"\r", message)
        copy = copy_of(signed(message, private_key, b"relaxed", b"relaxed"))
        found = results(copy, dns)
        check(found == OURS, f"{kind}, changed: {found}")
        parsed = email.message_from_bytes(copy)
        domain = email.utils.parseaddr(parsed["From"])[1].rpartition("@")[2]
        check(domain == "lists.example.org", f"{kind}: From is not aligned: {parsed['From']}")
    server.call("PUT", "/lists/news/", rewrite_sender="0")
    for kind, message in POSTS.items():
        fresh = email.utils.make_msgid(domain="sender.example").encode()
        message = re.sub(rb"(?m)^Message-ID: .*?\r$", b"Message-ID: " + fresh + b"\r", message)
        copy = copy_of(signed(message, private_key, b"simple", b"simple"))
        check_sealed(f"{kind}, changed for each member", copy, dns)
    print(f"signatures: {len(POSTS)} kinds of posts kept their authors' signatures, and got ours and a seal when changed")


def main():
    private = nacl.signing.SigningKey.generate()
    key, public = (base64.b64encode(bytes(half)) for half in (private, private.verify_key))
    sink = Sink()
    port = free_port()
    controller = Controller(sink, hostname="127.0.0.1", port=port, decode_data=False)
    controller.start()
    author = {"s1._domainkey.sender.example": f"v=DKIM1; k=ed25519; p={public.decode()}"}
    known = Dns(author)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(sys.argv[1], folder, port)
        try:
            server.start("--dns-server", f"127.0.0.1:{known.port}")
            dns = server.dns | author
            run(server, sink, dns, key)
        except BaseException:
            time.sleep(0.5)
            print(server.log_text()[-4000:], file=sys.stderr)
            raise
        finally:
            known.stop()
            server.stop()
            controller.stop()


if __name__ == "__main__":
    main()
