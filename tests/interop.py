#!/usr/bin/env python3
"""Crier beside a real Postfix, which stands in front of it by SMTP, by LMTP (on a port and on a socket) and by a pipe into
`crier inject`, and is the relay behind it, with STARTTLS both ways. Posts by swaks reach every member once; what is refused comes back to who
sent it; members whom Postfix refuses, at once or later by a report, are seen as such.

Usage: tests/interop.py path/to/crier, as root (Postfix's master asks for it), with Debian's postfix, swaks,
dnsmasq-base and openssl.
"""

import email
import email.message
import email.policy
import os
import re
import shutil
import smtplib
import subprocess
import sys
import tempfile
import time

from programs import Dns, Postfix, Server, free_port

MEMBERS = 25
AUTHOR = "member1@member.example"
WAIT_MAX_S = 180
# Whom Postfix keeps mail for; it refuses others at RCPT.
KEPT = r"/^(member[0-9]+|jürgen)@member\.example$|^you@example\.org$/ all/"
# A domain for which it takes everything and sends it back.
SENDS_BACK = "late.example"
# Domains of the account to which Postfix hands its mail by LMTP and through a pipe.
BY_LMTP = "lmtp.example.org"
BY_PIPE = "pipe.example.org"
# As whom the server runs: pipes never run as root.
USER = "nobody"


def check(condition, problem):
    if not condition:
        sys.exit(f"interop: {problem}")


def wait_for(what, found):
    """What `found` answers, once that is anything."""
    deadline = time.monotonic() + WAIT_MAX_S
    while not (answer := found()):
        check(time.monotonic() < deadline, f"{what}: not within {WAIT_MAX_S} s")
        time.sleep(0.1)
    return answer


def run(*command):
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    check(ran.returncode == 0, f"{' '.join(command)}: {ran.stdout}")
    return ran.stdout


class Site:
    """The server, the Postfix around it, and what Postfix keeps."""

    def __init__(self, crier, folder):
        for name in ["crier", "postfix", "mail"]:
            os.mkdir(f"{folder}/{name}")
        os.chmod(folder, 0o755)
        os.chmod(f"{folder}/mail", 0o777)
        self.folder = folder
        self.dns = Dns({"member.example": "v=spf1 ip4:127.0.0.1 -all"})
        self.postfix = Postfix(f"{folder}/postfix", free_port())
        # Wherever the executable lies, its user can read this one.
        self.crier = shutil.copy(crier, f"{folder}/crier/executable")
        self.data = f"{folder}/crier/data"
        self.server = Server(self.crier, f"{folder}/crier", self.postfix.port, USER)
        for domain in [BY_LMTP, BY_PIPE]:
            run(self.crier, "domain", "create", "--data", self.data, "--account", "example", domain)
        run("chown", "-R", USER, f"{folder}/crier")
        run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=mail.member.example",
            "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem")
        with open(f"{folder}/kept", "w") as file:
            file.write(KEPT + "\n")

    def start(self, listen, next_hop):
        """Starts both; crier listens for LMTP, and Postfix hands it on, as these say in the words of each."""
        self.server.start("--dns-server", f"127.0.0.1:{self.dns.port}", "--lmtp-listen", listen)
        smtp = f"smtp:[127.0.0.1]:{self.server.ports['smtp']}"
        self.postfix.start({
            "relay_domains": f"lists.example.org, {BY_LMTP}, {BY_PIPE}, {SENDS_BACK}",
            "transport_maps": f"inline:{{ lists.example.org={smtp}, {BY_LMTP}=lmtp:{next_hop}, {BY_PIPE}=crier:, "
                              f"{{{SENDS_BACK}=error:5.1.1 nobody of this name}} }}",
            "virtual_mailbox_domains": "member.example, example.org",
            "virtual_mailbox_maps": f"regexp:{self.folder}/kept",
            "virtual_mailbox_base": f"{self.folder}/mail",
            "virtual_uid_maps": "static:65534",
            "virtual_gid_maps": "static:65534",
            # Says nothing without TLS, and offers it.
            "smtp_tls_security_level": "encrypt",
            "smtp_tls_loglevel": "1",
            "smtpd_tls_security_level": "may",
            "smtpd_tls_received_header": "yes",
            "smtpd_tls_cert_file": f"{self.folder}/cert.pem",
            "smtpd_tls_key_file": f"{self.folder}/key.pem",
        }, self.pipe())

    def pipe(self):
        """The lines of master.cf that the help of `crier inject` shows, with this site's user and paths."""
        shown = subprocess.run([self.crier, "inject", "--help"], check=True, capture_output=True, text=True).stdout
        lines = re.search(r"^ *(crier unix - .* pipe user=)crier (.*)\n( *argv=.*)$", shown, re.MULTILINE)
        check(lines, f"no pipe in {shown}")
        arguments = re.sub(r"argv=\S+ inject", f"argv={self.crier} inject --data {self.data}", lines[3])
        return f"{lines[1]}{USER} {lines[2]}\n{arguments}\n"

    def stop(self):
        self.postfix.stop()
        self.server.stop()

    def post(self, subject, *recipients, body="Tea at five?"):
        """Hands a message to Postfix."""
        run("swaks", "--server", f"127.0.0.1:{self.postfix.port}", "--from", AUTHOR, "--to",
            ",".join(recipients), "--header", f"Subject: {subject}", "--body", body)

    def mails(self, subject):
        """What Postfix keeps whose subject holds this."""
        folder, found = f"{self.folder}/mail/all/new", []
        for name in os.listdir(folder) if os.path.isdir(folder) else []:
            with open(f"{folder}/{name}", "rb") as file:
                mail = email.message_from_binary_file(file, policy=email.policy.default)
            if subject in (mail["Subject"] or ""):
                found.append(mail)
        return found

    def copies(self, subject, recipients):
        """The copies of a post, once each of its recipients has one."""
        wait_for(f"copies of {subject!r}", lambda: recipients <= len(self.mails(subject)))
        # One copy too many would come now.
        time.sleep(0.5)
        mails = self.mails(subject)
        for field in ["Delivered-To", "Return-Path"]:
            check(len({str(mail[field]) for mail in mails}) == len(mails) == recipients,
                  f"{len(mails)} copies of {subject!r} for {recipients} recipients")
        return mails

    def bounce(self, subject):
        """What Postfix told the author of a message that it could not hand on."""
        told = wait_for(f"a bounce of {subject!r}", lambda: [
            mail for mail in self.mails("Undelivered Mail Returned to Sender") if subject in str(mail)])
        check(len(told) == 1, f"{len(told)} bounces of {subject!r}")
        return str(told[0])

    def delivery(self, subject, address):
        """What the API says of a recipient's copy."""
        messages = self.server.call("GET", "/messages/?list=news&limit=100")["data"]
        message = next(message["id"] for message in messages if message["subject"] == subject)
        deliveries = self.server.call("GET", f"/messages/{message}/deliveries/?limit=100")["data"]
        return next(delivery for delivery in deliveries if delivery["email"] == address)


def received(mail):
    """The last two hops of a mail: into the relay, and into the server."""
    fields = [" ".join(str(field).split()) for field in mail.get_all("Received")]
    return fields[0], next(field for field in fields if "by mx.example.org" in field)


def by_smtp(site):
    site.post("by SMTP", "news@lists.example.org")
    for mail in site.copies("by SMTP", MEMBERS):
        into_relay, into_server = received(mail)
        check("with ESMTPS" in into_relay and "with ESMTPS" in into_server, f"not by TLS: {into_relay} {into_server}")
    check("TLS connection established to 127.0.0.1" in site.postfix.log_text(), "Postfix spoke without TLS")


def by_lmtp(site, way):
    site.post(f"by LMTP, {way}", f"news@{BY_LMTP}", f"nobody@{BY_LMTP}")
    for mail in site.copies(f"by LMTP, {way}", MEMBERS):
        check("with LMTP" in received(mail)[1], f"not by LMTP: {received(mail)[1]}")
    # Of two recipients in one transaction, each has its own answer.
    bounce = site.bounce(f"by LMTP, {way}")
    check("5.1.1" in bounce and f"nobody@{BY_LMTP}" in bounce, bounce)


def by_pipe(site):
    site.post("through a pipe", f"news@{BY_PIPE}")
    for mail in site.copies("through a pipe", MEMBERS):
        check("(crier, from userid" in received(mail)[1], f"not through a pipe: {received(mail)[1]}")
    site.post("nobody at the end of a pipe", f"nobody@{BY_PIPE}")
    bounce = site.bounce("nobody at the end of a pipe")
    check("there is no such recipient" in bounce and "5.1.1" in bounce, bounce)
    # What Postfix itself writes has no sender: it is taken, and no list posts it.
    run("swaks", "--server", f"127.0.0.1:{site.postfix.port}", "--from", "<>", "--to", f"postmaster@{BY_PIPE}",
        "--header", "Subject: a report")
    wait_for("a mail without a sender", lambda: site.mails("a report"))


def refusals(site):
    site.post("to nobody", "nobody@lists.example.org")
    check("550 5.1.1" in site.bounce("to nobody"), "no word of what was refused")
    site.server.call("PUT", "/lists/news/", maxlength="10")
    site.post("too long", "news@lists.example.org", body="Tea " * 5000)
    check("552 5.3.4" in site.bounce("too long"), "no word of the size")
    site.server.call("PUT", "/lists/news/", maxlength="1000")


def beyond_ascii(site):
    site.server.call("POST", "/contacts/", emails="jürgen@member.example", lists="news")
    post = email.message.EmailMessage(policy=email.policy.SMTPUTF8)
    post["From"], post["Subject"] = "jürgen@member.example", "Grüße"
    post.set_content("Um fünf?")
    # swaks does not say SMTPUTF8.
    with smtplib.SMTP("127.0.0.1", site.postfix.port) as client:
        client.send_message(post, to_addrs=["news@lists.example.org"])
    to = {str(mail["Delivered-To"]) for mail in site.copies("Grüße", MEMBERS + 1)}
    check("jürgen@member.example" in to, f"no copy beyond ASCII: {to}")


def members_who_refuse(site):
    refused, sent_back = "gone@member.example", f"gone@{SENDS_BACK}"
    for address in [refused, sent_back]:
        site.server.call("POST", "/contacts/", emails=address, lists="news")
    site.post("some are gone", "news@lists.example.org")
    site.copies("some are gone", MEMBERS + 1)
    delivery = site.delivery("some are gone", refused)
    check(delivery["state"] == "failed" and "5.1.1" in delivery["reply"], f"refused at RCPT: {delivery}")
    check(site.server.call("GET", f"/emails/{refused}/")["paused"], "an address that is refused is not paused")
    delivery = wait_for("the report of Postfix", lambda: (
        found if (found := site.delivery("some are gone", sent_back))["state"] == "failed" else None))
    check("nobody of this name" in delivery["reply"], f"sent back: {delivery}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        site = Site(sys.argv[1], folder)
        lmtp_port = free_port()
        try:
            site.start(f"127.0.0.1:{lmtp_port}", f"inet:[127.0.0.1]:{lmtp_port}")
            for number in range(1, MEMBERS + 1):
                site.server.call("POST", "/contacts/", emails=f"member{number}@member.example", lists="news")
            by_smtp(site)
            by_lmtp(site, "a port")
            by_pipe(site)
            site.stop()
            site.start(f"unix:{folder}/crier/lmtp", f"unix:{folder}/crier/lmtp")
            by_lmtp(site, "a socket")
            refusals(site)
            beyond_ascii(site)
            members_who_refuse(site)
            site.stop()
            run(site.crier, "verify", "--data", site.data)
        except BaseException:
            print(site.postfix.log_text()[-4000:], site.server.log_text()[-4000:], sep="\n", file=sys.stderr)
            raise
        finally:
            site.stop()
            site.dns.stop()
    print("interop: Postfix in front by SMTP, LMTP and a pipe, and behind with STARTTLS: every copy once, every refusal told")


if __name__ == "__main__":
    main()
