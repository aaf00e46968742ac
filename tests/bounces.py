#!/usr/bin/env python3
"""Bounces that mail systems of the world wrote, handed to a running server: each as the report on a copy that was really
sent, at that copy's `bounces+TOKEN`, from the empty sender, with the member in the place of the address that failed.

Usage: tests/bounces.py path/to/crier FOLDER [FLUFL], with the package aiosmtpd. FOLDER has `*.eml` and `expected.json`,
which says for each file the classes of `spec/mail.md` 9 that are right for it; FLUFL is the source package of
flufl.bounce unpacked, whose tests name the recipients that failed. Posts and reports go on for 30 days, by a clock that
is put forward. At least 97 % of the classes must be right, and nobody is paused whose address is well.
"""

import ast
import json
import os
import re
import smtplib
import sys
import tempfile
import time
import urllib.error

from aiosmtpd.controller import Controller

from programs import Server, free_port

AUTHOR = "author@author.example"
WAIT_MAX_S = 120
# The days on which a post goes out, and comes back.
DAYS = [0, 2, 4, 6, 9, 16, 23, 30]
RIGHT_MIN = 0.97
# The names of the classes in the log, by those of the expectations.
KINDS = {"dead address": "dead", "full or temporary": "temporary", "policy or reputation": "policy",
         "unclassified": "unclassified"}
# Reasons of which the report itself says nothing: that the server cannot classify it is right.
SAYS_NOTHING = {"onhold", "undefined"}
# Reasons that say nothing about an address, though they are called temporary.
ABOUT_US = {"speeding", "toomanyconn"}


def check(condition, problem):
    if not condition:
        sys.exit(f"bounces: {problem}")


class Sink:
    """Takes every copy, and keeps only whom it was for and its envelope sender."""

    def __init__(self):
        self.senders = {}

    async def handle_DATA(self, server, session, envelope):
        for recipient in envelope.rcpt_tos:
            self.senders[recipient.lower()] = envelope.mail_from
        return "250 2.0.0 Kept"

    def wait_for(self, recipients):
        deadline, recipients = time.monotonic() + WAIT_MAX_S, set(recipients)
        while missing := recipients - set(self.senders):
            check(time.monotonic() < deadline, f"{len(missing)} copies did not come: {sorted(missing)[:5]}")
            time.sleep(0.05)


class Site:
    """The server with its sink, and what it logs, line by line."""

    def __init__(self, crier, folder, *flags):
        self.sink = Sink()
        self.relay = Controller(self.sink, hostname="127.0.0.1", port=free_port())
        self.relay.start()
        self.server = Server(crier, folder, self.relay.port)
        self.log = open(f"{folder}/log")
        self.flags = ["--log-format", "json", *flags]

    def start(self, day=0):
        self.server.start(*self.flags, *(["--clock-offset", f"{day}d"] if day else []))
        self.smtp = smtplib.SMTP("127.0.0.1", self.server.ports["smtp"], timeout=WAIT_MAX_S)
        self.news()

    def stop(self):
        self.smtp.close()
        check(self.server.stop() == 0, "the server did not end in order")

    def news(self):
        """The lines of the log since the last call."""
        return [json.loads(line) for line in self.log.readlines() if line.startswith("{")]

    def post(self, local, number):
        text = (f"From: {AUTHOR}\r\nTo: {local}@lists.example.org\r\nSubject: Minutes {number}\r\n"
                f"Message-ID: <{number}.{local}@author.example>\r\n\r\nThe minutes are on the page.\r\n")
        self.smtp.sendmail(AUTHOR, [f"{local}@lists.example.org"], text)

    def report(self, sender, raw):
        """Hands a report in; returns what the log says of it, or the refusal."""
        raw = re.sub(rb"\r\n|\r|\n", b"\r\n", raw)
        for _ in range(WAIT_MAX_S):
            try:
                self.smtp.sendmail("", [sender], raw)
                return self.news(), None
            except smtplib.SMTPResponseException as error:
                if error.smtp_code != 451:
                    return [], f"{error.smtp_code} {error.smtp_error}"
                # The copy's own answer is not written yet.
                time.sleep(0.05)
        return [], "put off for ever"


def fields(line):
    """The fields of a line of the log, wherever its form puts them."""
    return line | line.get("fields", {})


def failing_address(raw):
    """The address that failed, as the report names it."""
    text = raw.decode("utf-8", "replace")
    for pattern in [r"(?im)^Original-Recipient:\s*rfc822;\s*<?([^\s<>;]+@[^\s<>;]+)",
                    r"(?im)^(?:X-Actual-|Final-)Recipient:\s*rfc822;\s*<?([^\s<>;]+@[^\s<>;]+)",
                    r"(?im)^X-Failed-Recipients:\s*<?([^\s<>,]+@[^\s<>,]+)",
                    r"(?i)RCPT TO:\s*<?([^\s<>]+@[^\s<>]+)",
                    r"(?m)^\s*<([^\s<>]+@[^\s<>]+)>:?\s*$", r"(?m)^\s*<([^\s<>]+@[^\s<>]+)>:"]:
        if found := re.search(pattern, text):
            return found[1]
    return None


def for_member(raw, member):
    """The report with the member in the place of the address that failed."""
    failed = failing_address(raw)
    return raw.replace(failed.encode(), member.encode()) if failed else raw


def verdict(lines):
    """The class of a report and the reason of a pause, by the log."""
    kind, pause = "no bounce", None
    for line in map(fields, lines):
        message = line.get("message", "")
        kind = KINDS.get(line.get("bounce.kind"), kind)
        if found := re.match(r"Mail to an address is paused: ([^:]*)", message):
            pause = found[1]
            if pause == "the reader complained":
                kind = "complaint"
    return kind, pause


def is_right(kind, expected):
    """Whether a class is one of those that any of the report's recipients has."""
    classes = {name for one in expected for name in one["class"]}
    if kind == "unclassified":
        return any(one["reason"] in SAYS_NOTHING for one in expected)
    return kind in classes or (kind == "no bounce" and "delivered" in classes)


def is_well(expected):
    """Whether the report says nothing against the address."""
    return all(set(one["class"]) <= {"policy", "no bounce", "delivered"} or one["reason"] in ABOUT_US for one in expected)


def classes(crier, corpus):
    """Hands in every report of the corpus on each of the days; returns what went wrong."""
    with open(f"{corpus}/expected.json") as file:
        expected = json.load(file)
    names = sorted(name for name in os.listdir(corpus) if name.endswith(".eml"))
    member = {name: f"{name.removesuffix('.eml').lower()}@member.example" for name in names}
    wrong, paused = [], {}
    with tempfile.TemporaryDirectory() as folder:
        site = Site(crier, folder)
        site.start()
        site.server.call("POST", "/contacts/", emails=AUTHOR, lists="news")
        for name in names:
            site.server.call("POST", "/contacts/", emails=member[name], lists="news")
        for day in DAYS:
            if day:
                site.start(day)
            site.sink.senders.clear()
            site.post("news", day)
            to = [name for name in names if name not in paused]
            site.sink.wait_for(member[name] for name in to)
            site.news()
            for name in to:
                with open(f"{corpus}/{name}", "rb") as file:
                    raw = for_member(file.read(), member[name])
                lines, refusal = site.report(site.sink.senders[member[name]], raw)
                kind, pause = verdict(lines)
                if day == 0 and not is_right(kind, expected[name]):
                    wrong.append(f"{name}: {refusal or kind}, expected {expected[name]}")
                if pause:
                    paused[name] = (day, pause)
            site.stop()
        site.relay.stop()
    right = len(names) - len(wrong)
    harmed = {name: why for name, why in paused.items() if is_well(expected[name])}
    print("\n".join(wrong))
    print(f"bounces: {right} of {len(names)} right ({right / len(names):.1%}), {len(paused)} paused in {DAYS[-1]} days, "
          f"of them {len(harmed)} who are well")
    check(not harmed, f"paused though well: {harmed}")
    check(RIGHT_MIN * len(names) <= right, f"less than {RIGHT_MIN:.0%} are right")


def expected_recipients(source):
    """The recipients that flufl.bounce's tests expect of each of its files."""
    with open(f"{source}/tests/test_detectors.py") as file:
        rows = re.findall(r"\(\s*'\w+',\s*'([\w.]+)',\s*(\[[^\]]*\])", file.read())
    found = {}
    for name, addresses in rows:
        found.setdefault(name, set()).update(address.decode().lower() for address in ast.literal_eval(addresses))
    return found


def named_addresses(raw):
    """Every address in a report that a member could have."""
    found = re.findall(rb"[A-Za-z0-9][\w.+-]*@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}", raw)
    return {address.decode().lower() for address in found} - {AUTHOR}


def recipients(crier, source):
    """Hands in flufl.bounce's reports on copies that members share: each has a list of its own, whose members are all
    whom the report names. The server credits a report on a shared copy only to members whose provider sent it, which
    nobody proves here, and logs for each of the others that it is not believed.
    """
    expected = expected_recipients(source)
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        site = Site(crier, folder, "--delivery", "batched")
        site.start()
        raws, lists = {}, {}
        for number, name in enumerate(sorted(expected)):
            with open(f"{source}/tests/data/{name}", "rb") as file:
                raws[name] = file.read()
            site.server.call("POST", "/lists/", name=f"list{number}", moderate="0")
            # A copy is shared only by members of one domain.
            others = {f"other@{address.split('@')[1]}" for address in expected[name]}
            for address in sorted(expected[name] | others) + sorted(named_addresses(raws[name]))[:30]:
                if f"list{number}" not in (of := lists.setdefault(address, [])):
                    of.append(f"list{number}")
        for address, of in lists.items():
            try:
                site.server.call("POST", "/contacts/", emails=address, lists=",".join(of))
            except urllib.error.HTTPError as error:
                # Some of their addresses are none.
                check(error.code == 400, f"{address}: {error.read()}")
        for number, name in enumerate(sorted(expected)):
            site.sink.senders.clear()
            site.post(f"list{number}", number)
            site.sink.wait_for(expected[name])
            site.news()
            said, refusal = "", None
            for sender in sorted({site.sink.senders[address] for address in expected[name]}):
                lines, refusal = site.report(sender, raws[name])
                said += " ".join(fields(line).get("message", "") for line in lines)
            credited = {address.lower() for address in re.findall(r"does not come from the provider of (\S+),", said)}
            if credited != expected[name]:
                wrong.append(f"{name}: {refusal or sorted(credited)}, expected {sorted(expected[name])}")
        site.stop()
        site.relay.stop()
    right = len(expected) - len(wrong)
    print("\n".join(wrong))
    print(f"flufl.bounce: the recipients of {right} of {len(expected)} reports are right ({right / len(expected):.1%})")
    check(RIGHT_MIN * len(expected) <= right, f"less than {RIGHT_MIN:.0%} are right")


def main():
    crier, corpus, *source = sys.argv[1:]
    classes(crier, corpus)
    if source:
        recipients(crier, source[0])


main()
