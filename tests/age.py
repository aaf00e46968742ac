#!/usr/bin/env python3
"""Opens the keys of backups with age itself, and the other way round: tests/age.py EXECUTABLE

Needs Debian's package `age`. Checks that key files mean the same to both programs, that age decrypts the key of a
target that was backed up, and that a target whose key age has encrypted is restored.
"""

import hashlib
import hmac
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CRIER = Path(sys.argv[1]).resolve()
# The object that holds the key of a target (src/backup/format.rs).
HEADER = "crier-backup"
BEGINNING = b"age-encryption.org/v1\n"
# Bytes of a file of age after its header: a nonce, a key, and what authenticates it.
PAYLOAD_BYTES = 16 + 32 + 16
CHECKSUM_BYTES = 32


def run(*command, input=None, fails=None):
    done = subprocess.run([*map(str, command)], input=input, capture_output=True, timeout=120)
    told = (done.stdout + done.stderr).decode(errors="replace")
    if fails is None and done.returncode != 0:
        raise SystemExit(f"FAILED: {command}: {told}")
    if fails is not None and (done.returncode == 0 or fails not in told):
        raise SystemExit(f"FAILED: {command} should have said {fails!r}: {told}")
    return done.stdout


def check(what, is_right):
    if not is_right:
        raise SystemExit(f"FAILED: {what}")


def age_file(content):
    """The file of age in these bytes: where it begins, and where it ends."""
    start = content.index(BEGINNING)
    check("there is one file of age", content.count(BEGINNING) == 1)
    mac = content.index(b"\n--- ", start) + 1
    return start, content.index(b"\n", mac) + 1 + PAYLOAD_BYTES


def length(number):
    """A length as it stands before a list of bytes."""
    return bytes([number]) if number < 251 else b"\xfb" + number.to_bytes(2, "little")


def fingerprint(key):
    return hmac.new(key, b"fingerprint of the key", hashlib.sha256).digest()


def with_age_file(header, file):
    """The object of a target's header with another file of age in it."""
    content = header[:-CHECKSUM_BYTES]
    start, end = age_file(content)
    before, old = content[:start], length(end - start)
    check("the length stands before the file of age", before.endswith(old))
    content = before.removesuffix(old) + length(len(file)) + file + content[end:]
    named = len(HEADER).to_bytes(8, "little") + HEADER.encode()
    return content + hashlib.sha256(named + content).digest()


def main():
    work = Path(tempfile.mkdtemp())
    try:
        identities = [work / f"{name}.key" for name in ("first", "second", "third")]
        for identity in identities:
            run("age-keygen", "-o", identity)
        first, second, third = recipients = [run("age-keygen", "-y", path).decode().strip() for path in identities]
        (work / "recipients").write_text(f"# both operators\n{first}\n{second}\n")

        data, folder, single = work / "data", work / "folder", work / "single.crier"
        folder.mkdir()
        run(CRIER, "setup", "--data", data, "--domain", "lists.example.org", "--admin", "you@example.org", "--list", "news")
        run(CRIER, "backup", "--data", data, f"{folder}/", "--backup-key-file", work / "recipients")
        run(CRIER, "backup", "--data", data, single, "--backup-key-file", identities[0])
        told = ", ".join(sorted([first, second]))
        wrong = subprocess.run([CRIER, "restore", "--data", work / "no", f"{folder}/"], capture_output=True, text=True)
        check(f"the recipients are called as age calls them: {wrong.stderr}", all(r in wrong.stderr for r in told.split(", ")))
        print("Key files of age are those of crier")

        header = (folder / HEADER).read_bytes()
        start, end = age_file(header)
        keys = [run("age", "-d", "-i", identity, input=header[start:end]) for identity in identities[:2]]
        check("both identities open one key of 32 bytes", keys[0] == keys[1] and len(keys[0]) == 32)
        check("it is the key of the target", fingerprint(keys[0]) in header)
        run("age", "-d", "-i", identities[2], input=header[start:end], fails="no identity matched")
        with open(single, "rb") as file:
            beginning = file.read(4096)
        start, end = age_file(beginning)
        opened = run("age", "-d", "-i", identities[0], input=beginning[start:end])
        check("the key of a single file opens, too", opened == keys[0])
        print("age opens the keys of backups")

        by_age = run("age", "-r", third, "-r", second, input=keys[0])
        (folder / HEADER).write_bytes(with_age_file(header, by_age))
        for identity in identities[1:]:
            restored = work / f"restored-{identity.stem}"
            run(CRIER, "restore", "--data", restored, f"{folder}/", "--backup-key-file", identity)
            run(CRIER, "verify", "--data", restored)
        refused = ["restore", "--data", work / "no", f"{folder}/", "--backup-key-file", identities[0]]
        run(CRIER, *refused, fails="the key file has no identity of theirs")
        print("A key that age encrypted opens a backup")
    finally:
        shutil.rmtree(work)


main()
