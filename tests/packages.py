#!/usr/bin/env python3
"""The packages, from an executable that was built: what is in them, and the whole life of one in a clean Debian root in
which a real systemd runs: install, set up, start, a post delivered, reload, watchdog, sockets, upgrade, remove, purge.

Usage: tests/packages.py path/to/crier [a tar of the root, made by `root`]
       tests/packages.py root FILE.tar     makes the root, which takes a while and needs the network
       tests/packages.py contents path/to/crier     builds and examines the packages, and installs nothing

Needs root, mmdebstrap, systemd-container, lintian, swaks and Postfix's smtp-sink. Where the machine lets no systemd
boot, the server runs in a chroot as the unit's user, and what only systemd can show is named as left out.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
PACKAGE = HERE / "target/package"
WAIT_MAX_S = 90
EXPOSURE_MAX = 2.0
SUITE = "bookworm"
UNITS = ["crier.service"] + sorted(path.name for path in (HERE / "packaging").glob("*.socket"))


def say(text):
    print(f"packages: {text}", flush=True)


def run(*words, check=True, **more):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if check and done.returncode != 0:
        raise SystemExit(f"packages: {' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def wait_for(what, condition):
    deadline = time.monotonic() + WAIT_MAX_S
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.2)
    raise SystemExit(f"packages: {what}: not within {WAIT_MAX_S} s")


def make_root(tar):
    """A small Debian with systemd, from the package archive that this machine uses."""
    sources = [path for path in ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list")
               if os.path.exists(path) and os.path.getsize(path)][:1]
    run("mmdebstrap", "--quiet", "--variant=essential", "--include=apt,systemd,systemd-sysv,dbus,ca-certificates", SUITE, tar, *sources)


def build(crier):
    """The packages, and their contents as the tools of the distributions see them. The RPM's tool takes long to build:
    where it is installed. `tests/it/packaging.rs` holds the lists of files of both against each other."""
    has_rpm = shutil.which("cargo-generate-rpm", path=f"{PACKAGE}/tools/bin") is not None
    run(HERE / "packaging/build.sh", *([] if has_rpm else ["--deb"]), crier)
    deb = next(PACKAGE.glob("*.deb"))
    say(f"{deb.name}: {deb.stat().st_size >> 20} MiB")
    print(run("lintian", "--fail-on", "error", "--tag-display-limit", "20", deb), end="")
    expect_files(run("dpkg-deb", "--contents", deb))
    assert run("dpkg-deb", "--info", deb, "conffiles").split() == ["/etc/crier/crier.env"]
    if has_rpm:
        rpm = next(PACKAGE.glob("*.rpm"))
        say(f"{rpm.name}: {rpm.stat().st_size >> 20} MiB")
        expect_files(run("rpm", "-qpl", rpm))
        assert "/etc/crier/crier.env" in run("rpm", "-qpc", rpm), "the settings are no configuration of the RPM"
        assert "systemd-sysusers" in run("rpm", "-qp", "--scripts", rpm)
    else:
        say("cargo-generate-rpm is not installed (packaging/build.sh installs it): the RPM is LEFT OUT")
    return deb


def expect_files(listed):
    names = ["/usr/bin/crier", "/etc/crier/crier.env", "man1/crier.1.gz", "man1/crier-serve.1.gz",
             "bash-completion/completions/crier", "_crier", "crier.fish", "sysusers.d/crier.conf",
             "tmpfiles.d/crier.conf"] + [f"systemd/system/{unit}" for unit in UNITS]
    for name in names:
        assert name in listed, f"{name} is not in the package:\n{listed}"


def next_version(deb, folder):
    """The same package as a later version."""
    run("dpkg-deb", "--raw-extract", deb, f"{folder}/next")
    control = Path(f"{folder}/next/DEBIAN/control")
    control.write_text(re.sub(r"^Version: .*", "Version: 9.9.9", control.read_text(), flags=re.MULTILINE))
    run("dpkg-deb", "-Zzstd", "--build", f"{folder}/next", f"{folder}/next.deb")
    shutil.rmtree(f"{folder}/next")


class Machine:
    """The root with a systemd as its first process, on a network of its own."""

    def __init__(self, root):
        self.root = root
        words = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network", "--boot",
                 "--console=pipe", f"--directory={root}"]
        self.log = open(f"{root}.log", "w")
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.init = None

    def boot(self):
        """Whether systemd came up: where a machine forbids mounts or namespaces, it does not."""
        deadline = time.monotonic() + WAIT_MAX_S
        while time.monotonic() < deadline and self.process.poll() is None:
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            if children:
                self.init = children[0]
                state = self.run("systemctl", "is-system-running", check=False).strip()
                if state in ("running", "degraded"):
                    return True
            time.sleep(0.3)
        return False

    def run(self, *words, check=True, **more):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LANG": "C.UTF-8"}
        return run("nsenter", "-t", self.init, "-a", "--", *words, check=check, env=environment, **more)

    def beside(self, *words):
        """The words of a program of this system that sees the machine's network."""
        return ["nsenter", "-t", self.init, "-n", "--", *words]

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


class Chroot:
    """The root without a systemd: packages can be installed, and the server runs as the unit would start it."""

    def __init__(self, root):
        self.root = root

    def run(self, *words, check=True, **more):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LANG": "C.UTF-8"}
        return run("chroot", self.root, *words, check=check, env=environment, **more)

    def beside(self, *words):
        return list(words)


class Sink:
    """Postfix's smtp-sink, which keeps what it gets as files."""

    def __init__(self, place, folder, port):
        self.mail = Path(folder) / "mail"
        self.mail.mkdir(mode=0o777)
        os.chmod(self.mail, 0o777)
        words = place.beside("smtp-sink", "-u", "nobody", "-d", f"{self.mail}/%M", f"127.0.0.1:{port}", "64")
        self.process = subprocess.Popen(words)

    def count(self, subject):
        texts = [path.read_text(errors="replace") for path in self.mail.iterdir()]
        return sum(f"Subject: {subject}" in text for text in texts)

    def end(self):
        self.process.terminate()
        self.process.wait()


def post(place, port, subject):
    words = ["swaks", "--server", f"127.0.0.1:{port}", "--from", "ada@example.org", "--to", "news@lists.example.org",
             "--header", f"Subject: {subject}", "--body", subject]
    run(*place.beside(*words))


def install(place, name):
    shutil.copy(name, f"{place.root}/root/crier.deb")
    return place.run("apt-get", "-q", "-y", "-o", "Dpkg::Options::=--force-confold", "install", "/root/crier.deb")


def set_up(place):
    """What the README says, in its order. Root makes the data file; the server's user owns it."""
    told = place.run("crier", "setup", "--domain", "lists.example.org", "--hostname", "mx.example.org", "--admin",
                     "you@example.org", "--list", "news", "--json")
    assert json.loads(told)["created"] is not False, told
    place.run("crier", "member", "add", "news", "ada@example.org", "--firstname", "Ada")
    assert place.run("stat", "-c", "%U %a", "/var/lib/crier/crier.redb").split() == ["crier", "600"]
    settings = Path(f"{place.root}/etc/crier/crier.env")
    text = settings.read_text()
    for name, value in {"HOSTNAME": "mx.example.org", "BASE_URL": "https://lists.example.org", "RELAY_FILE": "%d/relay"}.items():
        text, found = re.subn(rf"^#CRIER_{name}=.*$", f"CRIER_{name}={value}", text, flags=re.MULTILINE)
        assert found == 1, f"crier.env has {found} lines for {name}"
    settings.write_text(text)
    relay = Path(f"{place.root}/etc/crier/relay")
    relay.write_text("smtp://127.0.0.1:2526\n")
    relay.chmod(0o600)


def show(place, name):
    return place.run("systemctl", "show", "-P", name, "crier.service").strip()


def is_active(place, unit="crier.service"):
    return place.run("systemctl", "is-active", unit, check=False).strip() == "active"


def examine_unit(place):
    """The unit as systemd's own tools judge it."""
    told = place.run("systemd-analyze", "verify", "--man=no", *UNITS)
    assert "crier" not in told, told
    # With a boot it asks the manager; without one it reads the file.
    told = place.run("systemd-analyze", "security", "--offline=true", "--no-pager",
                     "/lib/systemd/system/crier.service", check=False)
    exposure = float(re.search(r"exposure level for crier\.service: ([\d.]+)", told)[1])
    assert exposure <= EXPOSURE_MAX, told
    say(f"exposure {exposure}, of at most {EXPOSURE_MAX}")


def live(machine, folder, deb):
    """The life of the package under systemd."""
    told = install(machine, deb)
    assert "crier setup" in told and "systemctl enable --now crier" in told, told
    assert not is_active(machine), "the package started a server that is not set up"
    assert machine.run("systemctl", "is-enabled", "crier.service", check=False).strip() == "disabled"
    examine_unit(machine)
    set_up(machine)
    sink = Sink(machine, folder, 2526)
    try:
        machine.run("systemctl", "enable", "--now", "crier")
        # `start` returns once the server says that it is ready, so there is nothing to wait for.
        assert is_active(machine)
        assert "SMTP on 0.0.0.0:25" in show(machine, "StatusText"), show(machine, "StatusText")
        assert machine.run("stat", "-c", "%U", f"/proc/{show(machine, 'MainPID')}").strip() == "crier"
        post(machine, 25, "first")
        wait_for("the first post", lambda: sink.count("first"))
        entries = [json.loads(line) for line in machine.run("journalctl", "-u", "crier", "-o", "json").splitlines()]
        decided = [entry for entry in entries if "was decided" in entry["MESSAGE"]]
        assert decided and all(entry.get("CRIER_MESSAGE_ID") and entry["PRIORITY"] == "6" for entry in decided), entries
        say("installed, set up, started by systemd as the user crier; the post went out by the relay of the credential")
        reload_and_hang(machine)
        upgrade(machine, folder, sink)
        through_socket(machine, sink)
        without_relay(machine)
    finally:
        sink.end()
    remove(machine)


def reload_and_hang(machine):
    settings = Path(f"{machine.root}/etc/crier/crier.env")
    settings.write_text(re.sub("^#CRIER_LOG_LEVEL=.*", "CRIER_LOG_LEVEL=debug", settings.read_text(), flags=re.MULTILINE))
    before = show(machine, "MainPID")
    machine.run("systemctl", "reload", "crier")
    wait_for("the new level", lambda: "The level of the log is debug" in machine.run("journalctl", "-u", "crier", "--no-pager"))
    assert is_active(machine) and show(machine, "MainPID") == before
    drop_in = Path(f"{machine.root}/run/systemd/system/crier.service.d/watchdog.conf")
    machine.run("mkdir", "-p", "/run/systemd/system/crier.service.d")
    machine.run("sh", "-c", "printf '[Service]\\nWatchdogSec=2\\n' > /run/systemd/system/crier.service.d/watchdog.conf")
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", "crier")
    hanging = show(machine, "MainPID")
    time.sleep(3)
    assert show(machine, "MainPID") == hanging, "a healthy server was taken for a hanging one"
    machine.run("sh", "-c", f"kill -STOP {hanging}")
    wait_for("a new process after a hang", lambda: is_active(machine) and show(machine, "MainPID") not in (hanging, "0"))
    machine.run("rm", "/run/systemd/system/crier.service.d/watchdog.conf")
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", "crier")
    assert not drop_in.exists()
    say("reloaded without a new process; a process that hangs is replaced")


def upgrade(machine, folder, sink):
    before = show(machine, "MainPID")
    told = install(machine, f"{folder}/next.deb")
    assert "crier setup" not in told, told
    assert is_active(machine) and show(machine, "MainPID") != before, "the new version does not run"
    assert "CRIER_HOSTNAME=mx.example.org" in Path(f"{machine.root}/etc/crier/crier.env").read_text()
    assert "news" in machine.run("crier", "list", "list")
    post(machine, 25, "upgraded")
    wait_for("a post after the upgrade", lambda: sink.count("upgraded"))
    say("upgraded: the new version runs on the same data, with the same settings")


def through_socket(machine, sink):
    machine.run("systemctl", "disable", "--now", "crier")
    machine.run("systemctl", "enable", "--now", "crier-smtp.socket")
    assert not is_active(machine)
    post(machine, 25, "woken")
    assert is_active(machine), "the connection did not start the service"
    wait_for("a post through the socket", lambda: sink.count("woken"))
    machine.run("systemctl", "disable", "--now", "crier-smtp.socket")
    machine.run("systemctl", "stop", "crier")
    say("a connection to crier-smtp.socket starts the server, which takes the socket")


def without_relay(machine):
    """The credential may be absent where no setting asks for it."""
    settings = Path(f"{machine.root}/etc/crier/crier.env")
    os.remove(f"{machine.root}/etc/crier/relay")
    assert machine.run("systemctl", "start", "crier", check=False), "a relay that is set and absent is told"
    assert not is_active(machine)
    settings.write_text(settings.read_text().replace("CRIER_RELAY_FILE=", "#CRIER_RELAY_FILE="))
    machine.run("systemctl", "reset-failed", "crier")
    machine.run("systemctl", "start", "crier")
    assert is_active(machine)
    machine.run("crier", "verify")
    say("without /etc/crier/relay it starts where nothing names it, and says so where something does")


def remove(place):
    place.run("apt-get", "-q", "-y", "remove", "crier")
    assert not isinstance(place, Machine) or not is_active(place)
    assert os.path.exists(f"{place.root}/var/lib/crier/crier.redb") and os.path.exists(f"{place.root}/etc/crier/crier.env")
    told = place.run("apt-get", "-q", "-y", "purge", "crier")
    assert "kept in /var/lib/crier" in told, told
    assert os.path.exists(f"{place.root}/var/lib/crier/crier.redb"), "purge deleted the data"
    assert not os.path.exists(f"{place.root}/etc/crier/crier.env") and not os.path.exists(f"{place.root}/usr/bin/crier")
    say("removed and purged: the data is kept, and it is said where")


def live_in_chroot(place, folder, deb):
    """What can be shown without systemd."""
    say("this machine boots no systemd in a container: start and stop, reload, watchdog, sockets and the credential "
        "under systemd are LEFT OUT; the server runs in a chroot in their place")
    assert "crier setup" in install(place, deb)
    examine_unit(place)
    set_up(place)
    sink = Sink(place, folder, 2526)
    words = ["chroot", "--userspec=crier:crier", place.root, "/usr/bin/crier", "serve", "--smtp-listen", "127.0.0.1:2525",
             "--http-listen", "127.0.0.1:0", "--hostname", "mx.example.org", "--relay", "smtp://127.0.0.1:2526"]

    def serve(subject):
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout.readline().startswith("http: ")
            post(place, 2525, subject)
            wait_for(subject, lambda: sink.count(subject))
            server.terminate()
            assert server.wait() == 0

    try:
        serve("first")
        assert "crier setup" not in install(place, f"{folder}/next.deb")
        serve("upgraded")
    finally:
        sink.end()
    remove(place)


def main():
    if sys.argv[1] == "root":
        return make_root(sys.argv[2])
    if sys.argv[1] == "contents":
        say("without a clean Debian: the packages are built and examined; installing, starting and upgrading are LEFT OUT")
        return build(sys.argv[2])
    if os.geteuid() != 0:
        return say("LEFT OUT: the packages are only installed by root")
    start = time.monotonic()
    deb = build(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        next_version(deb, folder)
        tar = sys.argv[2] if len(sys.argv) > 2 else f"{folder}/root.tar"
        if not os.path.exists(tar):
            make_root(tar)
        root = f"{folder}/root"
        os.mkdir(root)
        run("tar", "-C", root, "-xpf", tar)
        machine = Machine(root)
        try:
            is_up = machine.boot()
            if is_up:
                live(machine, folder, deb)
        except BaseException:
            if machine.init:
                print(machine.run("journalctl", "-u", "crier", "--no-pager", "-n", "60", check=False))
            raise
        finally:
            machine.end()
        if not is_up:
            print(Path(f"{root}.log").read_text(errors="replace")[-2000:])
            live_in_chroot(Chroot(root), folder, deb)
    say(f"all of it in {time.monotonic() - start:.0f} s")


main()
