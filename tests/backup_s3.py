#!/usr/bin/env python3
"""Backs up to a storage service that others wrote (moto), which checks signatures: tests/backup_s3.py EXECUTABLE

Needs `pip install "moto[server]"`. Checks a backup, a second one, restore, drill, wrong keys, no bucket, a server that
backs itself up, and a service that goes away in the middle.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

CRIER = Path(sys.argv[1]).resolve()
POLICY = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]})


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(what, check, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if check():
            return
        time.sleep(0.2)
    raise SystemExit(f"FAILED: {what}")


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


class Service:
    """moto, with one bucket and a key that it checks."""

    def __init__(self, port):
        self.port = port
        self.start()
        import boto3

        common = {
            "endpoint_url": f"http://127.0.0.1:{port}",
            "region_name": "us-east-1",
            "aws_access_key_id": "first",
            "aws_secret_access_key": "first",
        }
        iam = boto3.client("iam", **common)
        boto3.client("s3", **common).create_bucket(Bucket="backups")
        iam.create_user(UserName="crier")
        iam.put_user_policy(UserName="crier", PolicyName="all", PolicyDocument=POLICY)
        key = iam.create_access_key(UserName="crier")["AccessKey"]
        self.key, self.secret = key["AccessKeyId"], key["SecretAccessKey"]
        # From now on each request is authenticated.
        address = f"http://127.0.0.1:{port}/moto-api/reset-auth"
        # The type that urllib gives bodies is that of forms, which moto takes for no body.
        plain = {"Content-Type": "text/plain"}
        urllib.request.urlopen(urllib.request.Request(address, data=b"0", headers=plain, method="POST")).read()

    def start(self):
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for("the storage service starts", lambda: answers(self.port))

    def stop(self):
        self.process.kill()
        self.process.wait()

    def environment(self, **changed):
        wanted = {
            "CRIER_S3_ENDPOINT": f"http://127.0.0.1:{self.port}",
            "AWS_ACCESS_KEY_ID": self.key,
            "AWS_SECRET_ACCESS_KEY": self.secret,
        }
        return {"PATH": os.environ["PATH"], **wanted, **changed}


def crier(*arguments, env, fails=None):
    done = subprocess.run([CRIER, *map(str, arguments)], env=env, capture_output=True, text=True, timeout=120)
    told = done.stdout + done.stderr
    if fails is None and done.returncode != 0:
        raise SystemExit(f"FAILED: {arguments}: {told}")
    if fails is not None and (done.returncode == 0 or fails not in told):
        raise SystemExit(f"FAILED: {arguments} should have said {fails!r}: {told}")
    return done.stdout


def main():
    work = Path(tempfile.mkdtemp())
    service = Service(free_port())
    server = None
    try:
        data, env, target = work / "data", service.environment(), "s3://backups/crier/test"
        crier("setup", "--data", data, "--domain", "lists.example.org", "--admin", "you@example.org", "--list", "news", env=env)
        # Enough that what a backup always writes, the lists of its chunks, weighs little.
        people = "".join(f"person{number}@example.org,Name {number}\n" for number in range(3000))
        (work / "contacts.csv").write_text("email,name\n" + people)
        crier("import", "contacts", work / "contacts.csv", "--data", data, env=env)
        first = json.loads(crier("backup", "--data", data, target, "--json", env=env))
        second = json.loads(crier("backup", "--data", data, target, "--json", env=env))
        assert second["sent_bytes"] < first["sent_bytes"] / 2, (first, second)
        crier("drill", target, env=env)
        crier("restore", "--data", work / "restored", target, env=env)
        crier("verify", "--data", work / "restored", env=env)
        print("A backup, a second one, a drill and a restore are right")

        wrong = service.environment(AWS_SECRET_ACCESS_KEY="wrong")
        crier("backup", "--data", data, target, env=wrong, fails="SignatureDoesNotMatch")
        crier("drill", target, env=service.environment(AWS_ACCESS_KEY_ID="AKIAWRONG"), fails="InvalidAccessKeyId")
        crier("drill", "s3://nowhere-at-all/x", env=env, fails="no bucket nowhere-at-all")
        print("Wrong keys and a bucket that is not there are named")

        ports = ["--http-listen", "127.0.0.1:0", "--smtp-listen", "127.0.0.1:0"]
        command = [CRIER, "serve", "--data", data, *ports, "--backup-to", target, "--backup-every", "1s"]
        log = open(work / "log", "w")
        server = subprocess.Popen(command, env=env, stdout=log, stderr=log)
        told = lambda: (work / "log").read_text()
        wait_for("the server backs itself up twice", lambda: 2 <= told().count("A backup to "))
        service.stop()
        wait_for("the server says that the service is away", lambda: "The backup to " in told(), 60)
        server.send_signal(signal.SIGTERM)
        assert server.wait(40) == 0, told()
        server = None
        crier("verify", "--data", data, env=env)
        print("A server backs itself up, survives the loss of the service, and stops")
    finally:
        if server:
            server.kill()
        service.stop()
        shutil.rmtree(work)


main()
