"""The programs that the scripts beside this one start on ports of their own, and end."""

import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.parse
import urllib.request

WAIT_MAX_S = 180


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


class Server:
    """`crier serve` from `start` to `stop`, with the list `news@lists.example.org` and a relay on loopback; as another
    user of the system where one is named, who must have the folder by then.
    """

    def __init__(self, crier, folder, relay_port, user=None):
        self.user = user
        setup = [crier, "setup", "--data", f"{folder}/data", "--domain", "lists.example.org", "--admin",
                 "you@example.org", "--list", "news", "--json"]
        made = json.loads(subprocess.run(setup, check=True, capture_output=True).stdout)
        # Open to everybody, and without what a list begins with beside its members' mail.
        plain = ["--subscriptions", "open", "--archive-protected", "false", "--message-footer", "", "--reply-to", "",
                 "--hold-automated", "false", "--send-hold-message", "false", "--send-reject-message", "false"]
        subprocess.run([crier, "list", "set", "news", "--data", f"{folder}/data"] + plain, check=True, capture_output=True)
        self.key = made["api_key"]
        self.dns = {record["name"]: record["value"] for record in made["dns"] if record["type"] == "TXT"}
        self.log = open(f"{folder}/log", "a+")
        self.serve = [crier, "serve", "--data", f"{folder}/data", "--hostname", "mx.example.org", "--base-url",
                      "https://lists.example.org", "--http-listen", "127.0.0.1:0", "--smtp-listen", "127.0.0.1:0",
                      "--relay", f"smtp://127.0.0.1:{relay_port}"]

    def start(self, *flags):
        """Begins to serve, on ports that are new each time."""
        self.process = subprocess.Popen(self.serve + list(flags), stdout=subprocess.PIPE, stderr=self.log, text=True,
                                        user=self.user)
        self.ports = {}
        while {"http", "smtp"} - set(self.ports):
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"the server ended: {self.log_text()}")
            if found := re.search(r"(http|smtp)\b.*?127\.0\.0\.1:(\d+)", line, re.IGNORECASE):
                self.ports[found[1].lower()] = int(found[2])

    def call(self, method, path, **fields):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.ports['http']}/api/2{path}",
            data=urllib.parse.urlencode(fields).encode() if fields else None,
            method=method,
            headers={"Authorization": f"Bearer {self.key}"},
        )
        return json.load(urllib.request.urlopen(request, timeout=WAIT_MAX_S))

    def stop(self):
        self.process.terminate()
        return self.process.wait()

    def log_text(self):
        self.log.seek(0)
        return self.log.read()


# What a master.cf needs to take mail in and to send it on; nothing runs in a chroot.
SERVICES = """
127.0.0.1:{port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""
SETTINGS = {
    "compatibility_level": "3.6",
    "inet_interfaces": "127.0.0.1",
    "inet_protocols": "ipv4",
    "myhostname": "mail.member.example",
    "mydestination": "",
    "mynetworks": "127.0.0.0/8",
    "local_transport": "error:none",
    "alias_maps": "",
    "alias_database": "",
    "smtputf8_enable": "yes",
    "smtpd_recipient_restrictions": "reject_unauth_destination",
    "smtpd_client_connection_count_limit": "0",
    "disable_dns_lookups": "yes",
}


class Dns:
    """A dnsmasq that knows these TXT records by their names, and that nothing else exists."""

    def __init__(self, records):
        self.port = free_port()
        texts = [f"--txt-record={name},{text}" for name, text in records.items()]
        self.process = subprocess.Popen(["dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--no-resolv",
                                         "--no-hosts", "--pid-file=", "--local=/#/", "--listen-address=127.0.0.1",
                                         "--bind-interfaces", f"--port={self.port}", *texts])

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Postfix:
    """A Postfix in a folder of its own, listening on `port` from `start` to `stop`: no service of the system and no
    file elsewhere is touched. Its master process must start as root; Debian's package is all that is needed.
    """

    def __init__(self, folder, port):
        self.folder = folder
        self.port = port
        self.log = f"{folder}/log"
        self.settings = SETTINGS | {
            "queue_directory": f"{folder}/spool",
            "data_directory": f"{folder}/data",
            "maillog_file": self.log,
            "maillog_file_prefixes": folder,
        }
        # Its own users have to reach what lies below.
        os.chmod(folder, 0o755)
        for name in ["etc", "spool", "data"]:
            os.makedirs(f"{folder}/{name}")
        shutil.chown(f"{folder}/data", "postfix")

    def start(self, settings, services=""):
        """Begins to listen, with these lines of main.cf and of master.cf too."""
        self.settings |= settings
        with open(f"{self.folder}/etc/main.cf", "w") as file:
            file.writelines(f"{name} = {value}\n" for name, value in self.settings.items())
        with open(f"{self.folder}/etc/master.cf", "w") as file:
            file.write(SERVICES.format(port=self.port) + services)
        started = self.command("start")
        deadline = time.monotonic() + WAIT_MAX_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 2).close()
                return
            except OSError:
                if deadline < time.monotonic():
                    raise RuntimeError(f"Postfix does not start: {started.stderr}{self.log_text()}") from None
                time.sleep(0.1)

    def stop(self):
        self.command("stop")

    def command(self, *words):
        environment = os.environ | {"PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
        command = ["postfix", "-c", f"{self.folder}/etc", *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=WAIT_MAX_S, env=environment)

    def log_text(self):
        try:
            with open(self.log) as file:
                return file.read()
        except FileNotFoundError:
            return ""
