#!/usr/bin/env python3
"""Certificates that the server orders of a real authority of ACME, Debian's pebble: ordered by HTTP-01 and by
TLS-ALPN-01, refused, kept over a restart, renewed by the clock, ordered anew after a kill in the middle, and renewed
when the authority wants it.

Usage: tests/acme.py path/to/crier, with Debian's packages pebble and openssl.
"""

import base64
import contextlib
import datetime
import http.server
import json
import os
import re
import signal
import smtplib
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from programs import free_port

WAIT_MAX_S = 60
MAIL, PAGES, WEB = "mx.lists.test", "lists.test", "www.lists.test"
LIFE_S = 90 * 24 * 3600


def check(holds, what):
    if not holds:
        sys.exit(f"acme: {what}")


def wait_for(what, look):
    end = time.monotonic() + WAIT_MAX_S
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.2)
    sys.exit(f"acme: {what} did not happen")


def openssl(*arguments, input=None):
    done = subprocess.run(["openssl", *arguments], input=input, check=True, capture_output=True, timeout=30)
    return done.stdout


def shake_hands(port, name):
    """What openssl says of the certificate that a client gets for a name, whether it is believed or not."""
    done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-servername", name],
                          input=b"", capture_output=True, timeout=30)
    return done.stdout


def end(process):
    """Ends a program that is still there, whatever it does."""
    if process.poll() is None:
        process.kill()
    process.wait()


class Authority:
    """A pebble, whose own web server has a certificate of an authority made now, and the DNS that it asks. What it
    starts ends with `stack`."""

    def __init__(self, stack, folder, http_port, https_port):
        self.folder = folder
        self.port, self.management, self.dns, self.dns_management = (free_port() for _ in range(4))
        self.ca = f"{folder}/ca.pem"
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "3650",
                "-subj", "/CN=test", "-keyout", f"{folder}/ca.key", "-out", self.ca)
        openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                "/CN=localhost", "-keyout", f"{folder}/own.key", "-out", f"{folder}/own.csr")
        with open(f"{folder}/names", "w") as names:
            names.write("subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n")
        openssl("x509", "-req", "-in", f"{folder}/own.csr", "-CA", self.ca, "-CAkey", f"{folder}/ca.key",
                "-CAcreateserial", "-days", "365", "-extfile", f"{folder}/names", "-out", f"{folder}/own.pem")
        settings = {"listenAddress": f"127.0.0.1:{self.port}", "managementListenAddress": f"127.0.0.1:{self.management}",
                    "certificate": f"{folder}/own.pem", "privateKey": f"{folder}/own.key", "httpPort": http_port,
                    "tlsPort": https_port, "certificateValidityPeriod": LIFE_S}
        with open(f"{folder}/pebble.json", "w") as file:
            json.dump({"pebble": settings}, file)
        self.names = subprocess.Popen(
            ["pebble-challtestsrv", "-defaultIPv4", "127.0.0.1", "-defaultIPv6", "", "-dns01", f"127.0.0.1:{self.dns}",
             "-http01", "", "-https01", "", "-tlsalpn01", "", "-management", f"127.0.0.1:{self.dns_management}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        stack.callback(end, self.names)
        self.log = stack.enter_context(open(f"{folder}/pebble.log", "a+"))
        self.process = subprocess.Popen(
            ["pebble", "-config", f"{folder}/pebble.json", "-dnsserver", f"127.0.0.1:{self.dns}", "-strict"],
            stdout=self.log, stderr=self.log,
            # It takes a second to look. It refuses no nonces by chance: three in a row would be a refusal, and another
            # number of orders.
            env=os.environ | {"PEBBLE_VA_SLEEPTIME": "1", "PEBBLE_WFE_NONCEREJECT": "0", "PEBBLE_AUTHZREUSE": "0"})
        stack.callback(end, self.process)
        trust = ssl.create_default_context(cafile=self.ca)
        root = f"https://localhost:{self.management}/roots/0"

        def read():
            try:
                return urllib.request.urlopen(root, context=trust, timeout=5).read().decode()
            except OSError:
                return None

        self.root = wait_for("the start of pebble", read)

    @property
    def directory(self):
        return f"https://localhost:{self.port}/dir"

    def point(self, name, address):
        """Lets the DNS say that a name is at this address, and at no other: addresses are added to those before."""
        for action, more in (("clear-a", {}), ("add-a", {"addresses": [address]})):
            body = json.dumps({"host": f"{name}."} | more).encode()
            urllib.request.urlopen(f"http://127.0.0.1:{self.dns_management}/{action}", data=body, timeout=5).close()

    def orders(self):
        self.log.seek(0)
        return self.log.read().count("Added order")


class Adviser:
    """The authority with advice about renewals (ARI, RFC 9773), which this pebble does not give: certificates of which it
    is told are to be renewed at once, others in some weeks."""

    def __init__(self, stack, authority):
        self.serials, self.asked = [], []
        trust = ssl.create_default_context(cafile=authority.ca)
        adviser, port = self, free_port()
        self.directory = f"https://localhost:{port}/dir"

        class Answers(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path == "/dir":
                    found = json.load(urllib.request.urlopen(authority.directory, context=trust, timeout=5))
                    return self.answer(found | {"renewalInfo": f"https://localhost:{port}/renewal"})
                identifier = self.path.removeprefix("/renewal/")
                adviser.asked.append(identifier)
                serial = base64.urlsafe_b64decode(identifier.split(".")[1] + "==").hex().upper().lstrip("0")
                days = -1 if serial in adviser.serials else 70
                start = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=days)
                window = [start + datetime.timedelta(hours=hours) for hours in (0, 1)]
                start, end = (moment.strftime("%Y-%m-%dT%H:%M:%SZ") for moment in window)
                self.answer({"suggestedWindow": {"start": start, "end": end}, "explanationURL": "https://ca.test/why"})

            def answer(self, found):
                body = json.dumps(found).encode()
                self.send_response(200)
                for name, value in (("Content-Type", "application/json"), ("Content-Length", len(body)), ("Retry-After", 60)):
                    self.send_header(name, str(value))
                self.end_headers()
                self.wfile.write(body)

            do_HEAD = do_GET

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Answers)
        server.daemon_threads = True
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{authority.folder}/own.pem", f"{authority.folder}/own.key")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        stack.callback(server.shutdown)


class Server:
    """`crier serve`, which orders of an authority. What it starts ends with `stack`."""

    def __init__(self, stack, crier, folder, ports, authority):
        self.stack, self.folder, self.ports, self.authority = stack, folder, ports, authority
        setup = [crier, "setup", "--data", f"{folder}/data", "--domain", PAGES, "--admin", "you@example.org", "--json"]
        subprocess.run(setup, check=True, capture_output=True, timeout=60)
        http, https, metrics, smtp = ports
        self.serve = [crier, "serve", "--data", f"{folder}/data", "--hostname", MAIL, "--base-url", f"https://{PAGES}",
                      "--http-listen", f"127.0.0.1:{http}", "--https-listen", f"127.0.0.1:{https}", "--smtp-listen",
                      f"127.0.0.1:{smtp}", "--metrics-listen", f"127.0.0.1:{metrics}", "--relay", "smtp://127.0.0.1:9",
                      "--dns-server", f"127.0.0.1:{authority.dns}", "--public-ip", "127.0.0.1", "--acme",
                      "--acme-directory", authority.directory, "--acme-ca", authority.ca, "--acme-contact",
                      "ops@example.org", "--log-format", "json"]
        self.trust = ssl.create_default_context(cadata=authority.root)
        self.log_file = f"{folder}/log"
        self.process = None

    def start(self, *flags):
        serve = self.serve.copy()
        for flag, value in zip(flags[::2], flags[1::2]):
            # A flag may be given once.
            if flag in serve:
                serve[serve.index(flag) + 1] = value
            else:
                serve += [flag, value]
        with open(self.log_file, "w") as log:
            self.process = subprocess.Popen(serve, stdout=subprocess.DEVNULL, stderr=log)
        self.stack.callback(end, self.process)
        wait_for("the start of the server", lambda: self.said("Crier is ready"))

    def said(self, words):
        with open(self.log_file) as log:
            return [line for line in log if words in line]

    def metric(self, name):
        text = urllib.request.urlopen(f"http://127.0.0.1:{self.ports[2]}/metrics", timeout=10).read().decode()
        return int(float(re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)[1]))

    def shown(self, name, trust=None):
        """The certificate that a client gets for a name; None if it does not believe it."""
        context = trust or self.trust
        with socket.create_connection(("127.0.0.1", self.ports[1]), timeout=10) as plain:
            try:
                with context.wrap_socket(plain, server_hostname=name) as secure:
                    return secure.getpeercert()["serialNumber"]
            except ssl.SSLError:
                return None

    def public_key(self, name):
        return openssl("x509", "-noout", "-pubkey", input=shake_hands(self.ports[1], name))

    def shown_by_mail(self, name):
        smtp = smtplib.SMTP("127.0.0.1", self.ports[3], timeout=10)
        # The name that the certificate has to be for.
        smtp._host = name
        smtp.starttls(context=self.trust)
        serial = smtp.sock.getpeercert()["serialNumber"]
        smtp.quit()
        return serial

    def retry(self):
        self.process.send_signal(signal.SIGHUP)

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(timeout=60)


def main(crier):
    # What failed leaves no process behind, and no folder.
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        ports = [free_port() for _ in range(4)]
        authority = Authority(stack, folder, ports[0], ports[1])
        server = Server(stack, crier, folder, ports, authority)
        rehearse(server, authority)
        rehearse_advice(server, authority, Adviser(stack, authority))
        print("acme: ordered, refused, repaired, kept, renewed, begun anew after a kill, and renewed on advice")


def rehearse(server, authority):
    # One name is proven, and another leads elsewhere.
    authority.point(PAGES, "127.0.0.2")
    server.start()
    check(b"BEGIN CERTIFICATE" in shake_hands(server.ports[1], PAGES), "HTTPS answers before there is a certificate of the authority")
    first = wait_for("a certificate for the mail server", lambda: server.shown(MAIL))
    check(server.shown_by_mail(MAIL) == first, "mail shows the same certificate")
    refused = wait_for("a refusal", lambda: server.said(f"no new certificate for {PAGES}"))
    check("127.0.0.2" in refused[0] and "The next attempt is made at" in refused[0], f"the reason is told: {refused}")
    check(server.shown(PAGES) is None, "nobody vouches for the refused name")
    wait_for("the figures", lambda: server.metric('crier_acme_names{state="held"}') == 1)
    check(server.metric('crier_acme_names{state="refused"}') == 1, "the refusal is counted")

    # It is not asked again at once, a restart does not change that, and the operator can.
    orders = authority.orders()
    check(orders == 2, f"one order for each name, and {orders} were placed")
    server.end()
    server.start()
    time.sleep(3)
    check(server.shown(MAIL) == first, "the certificate is kept over a restart")
    check(authority.orders() == 2, "a refused name waits over a restart")
    # The second attempt of a name is by TLS-ALPN-01.
    authority.point(PAGES, "127.0.0.1")
    server.retry()
    second = wait_for("the certificate of the repaired name", lambda: server.shown(PAGES))
    check(second != first, "each name has its own certificate")
    check(server.metric('crier_acme_orders_total{result="issued"}') == 1, "one was issued since the restart")
    check(server.metric('crier_acme_names{state="refused"}') == 0, "nothing is refused any more")
    keys = [server.public_key(name) for name in (MAIL, PAGES)]
    server.end()

    # At two thirds of its life each is renewed, and its key stays. The server is killed while that is under way.
    orders = authority.orders()
    server.start("--clock-offset", "1439h")
    time.sleep(2)
    check(authority.orders() == orders, "nothing is renewed before two thirds of its life")
    server.end()
    server.start("--clock-offset", "1441h")
    wait_for("an order of a renewal", lambda: authority.orders() > orders)
    server.end(signal.SIGKILL)
    server.start("--clock-offset", "1441h")
    check(server.shown(MAIL) and server.shown(PAGES), "the certificates before still serve")
    server.retry()
    wait_for("the renewals", lambda: server.shown(MAIL) not in (None, first) and server.shown(PAGES) not in (None, second))
    check([server.public_key(name) for name in (MAIL, PAGES)] == keys, "the keys stay over a renewal")
    wait_for("the figures", lambda: server.metric('crier_acme_names{state="refused"}') == 0)
    check(server.end() == 0, "the server stops cleanly")


def rehearse_advice(server, authority, adviser):
    # Without advice nothing would be due for weeks. One of two is to be renewed.
    server.start()
    serials = {name: server.shown(name) for name in (MAIL, PAGES)}
    server.end()
    adviser.serials = [serials[PAGES].lstrip("0")]
    orders = authority.orders()
    server.start("--acme-directory", adviser.directory)
    wait_for("an answer for each certificate", lambda: len(set(adviser.asked)) == 2)
    told = wait_for("a word about the advice", lambda: server.said("wants the certificate for"))
    check(len(told) == 1 and PAGES in told[0] and "https://ca.test/why" in told[0], f"the reason is told: {told}")
    # What is due is looked for twice a minute. This pebble does not say back what an order replaces, so that the second
    # attempt names nothing.
    wait_for("the first attempt", lambda: server.said("replaces field mismatch"))
    server.retry()
    wait_for("the renewal", lambda: server.shown(PAGES) not in (None, serials[PAGES]))
    check(server.shown(MAIL) == serials[MAIL] and authority.orders() == orders + 2, "the other one stays")
    check(server.end() == 0, "the server stops cleanly after advice")


if __name__ == "__main__":
    main(sys.argv[1])
