#!/usr/bin/env python3
"""Every page in a real browser: headless Chromium opens the views of `pages.json` one after the other, presses what they
say, and looks at each in light and dark, at 360 and at 1280 pixels. axe-core finds nothing (WCAG 2.2 AA), no request
leaves the server, the console stays empty, nothing overflows a telephone, in no language; scripts are off meanwhile.

Usage: tests/browser/browser.py path/to/crier path/to/axe.min.js folder/for/screenshots, with Debian's chromium and
chromium-driver, selenium and aiosmtpd from PyPI, and the tests compiled (one of them signs people in).
"""

import email
import email.policy
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

import aiosmtpd.controller
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, f"{ROOT}/tests")
from mails import look_at_attacks, look_at_kinds  # noqa: E402
from programs import Server, free_port  # noqa: E402

WAIT_MAX_S = 60
LANGUAGES = ["en", "de", "fr", "es"]
WIDTHS = [1280, 360]
SCHEMES = ["light", "dark"]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]


def wait_for(what, found):
    """What `found` answers, once that is anything."""
    deadline = time.monotonic() + WAIT_MAX_S
    while not (answer := found()):
        if deadline < time.monotonic():
            sys.exit(f"browser: {what}: not within {WAIT_MAX_S} s")
        time.sleep(0.05)
    return answer


class Sink:
    """Takes all mail but that to those who are refused, or put off."""

    def __init__(self):
        self.refused = set()
        self.deferred = {"busy@example.org"}
        self.mails = []
        self.lock = threading.Lock()
        self.controller = aiosmtpd.controller.Controller(self, hostname="127.0.0.1", port=free_port())
        self.controller.start()

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address in self.refused:
            return "550 5.1.1 no such user"
        if address in self.deferred:
            return "450 4.2.0 try again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        body = message.get_body(("plain",))
        text = body.get_content() if body else ""
        with self.lock:
            self.mails += [(to, f"{message.as_string()}\n{text}") for to in envelope.rcpt_tos]
        return "250 OK"

    def found(self, to, pattern):
        """What the mails to somebody have of a pattern, in order, each once."""
        with self.lock:
            texts = [text.replace("=\n", "") for address, text in self.mails if address == to]
        return list(dict.fromkeys(re.findall(pattern, "\n".join(texts))))

    def links(self, to, kind):
        """The paths of a kind in the mails to somebody."""
        return self.found(to, rf"/{kind}/[a-z0-9]+/")


class Site:
    """A server with a list, whose mail has made every link that pages are reached by."""

    def __init__(self, crier, folder):
        self.sink = Sink()
        self.folder = folder
        port = free_port()
        self.server = Server(crier, folder, self.sink.controller.port)
        serve = self.server.serve
        serve[serve.index("--base-url") + 1] = self.base = f"http://127.0.0.1:{port}"
        serve[serve.index("--http-listen") + 1] = f"127.0.0.1:{port}"
        # Nobody is at home at the provider.
        serve += ["--dns-server", "127.0.0.1:9", "--oidc", "name=work,issuer=http://127.0.0.1:9,client-id=lists"]
        self.server.start("--log-level", "info")
        self.links = {}
        self.make_links()
        self.server.stop()
        self.sessions = self.sign_in()
        self.server.start("--clock-offset", "73h", "--log-level", "info")
        probes = wait_for("a probe", lambda: self.sink.links("gone@example.org", "resume"))
        self.links["resume"] = probes[0]

    def make_links(self):
        call = self.server.call
        call("PUT", "/lists/news/", description="Parents of class 4B", send_reject_message="1",
             memberview="all-withemail")
        for address in ["ada@example.org", "busy@example.org", "gone@example.org"]:
            contact = call("POST", "/contacts/", emails=address, lists="news")
        self.links["person"] = f"/admin/people/{contact['id']}/"
        self.sink.refused.add("gone@example.org")
        message = call("POST", "/messages/", list="news", subject="Trip money",
                       content_plain="The bus leaves at eight.\nWrite to ada@example.org.")
        self.links["thread"] = f"/lists/news/threads/{message['id']}/"
        self.links["message"] = f"/lists/news/messages/{message['id']}/"
        self.links["month"] = time.strftime("/lists/news/months/%Y-%m/", time.gmtime())
        # Over plain HTTP no header field has the link, but its token stands in the address that leaves by mail.
        tokens = wait_for("a copy", lambda: self.sink.found("ada@example.org", r"confirm\+([a-z0-9]+)@"))
        self.links["unsubscribe"] = f"/unsubscribe/{tokens[0]}/"
        wait_for("a pause", lambda: call("GET", "/emails/gone@example.org/")["paused"])
        self.sink.refused.clear()
        reply = call("POST", "/messages/", list="news", subject="Re: Trip money", parent=message["id"], from_phrase="Ines Alcott",
             from_address="ines@example.org", content_plain="> The bus leaves at eight.\n\nWe shall be there.\n\n-- \nInes")
        self.links["trace"] = f"/admin/messages/{reply['id']}/"
        self.links["reply"] = f"/lists/news/write/?reply={reply['id']}"
        form = urllib.parse.urlencode({"email": "new@example.org", "list": "news"}).encode()
        urllib.request.urlopen(f"{self.base}/subscribe/", form)
        self.links["confirm"] = wait_for("a request", lambda: self.sink.links("new@example.org", "confirm"))[0]
        for number in range(1, 7):
            self.post(number)
            links = wait_for("a request", lambda: self.sink.links("you@example.org", "moderate")[number - 1:])
            self.links[f"moderate-{number}"] = links[0]
        held = call("GET", "/held/?state=held")["data"]
        self.links["held"] = f"/admin/approvals/{held[4]['id']}/"
        call("POST", "/admins/", username="approver@example.org", permissions="approve_messages",
             notifications="pending_member", welcome_email="0")
        for number in [1, 2]:
            address = f"invited{number}@example.org"
            call("POST", "/admins/", username=address, permissions="send_messages")
            self.links[f"password-{number}"] = wait_for("an invitation", lambda: self.sink.links(address, "password"))[0]

        self.know_application()

    def know_application(self):
        """Makes an application known, which comes back to this server itself."""
        command = [self.server.serve[0], "oauth-client", "create", "--data", f"{self.folder}/data", "--json",
                   "--name", "School diary", "--redirect-uri", f"{self.base}/"]
        made = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        request = {"response_type": "code", "client_id": made["client_id"], "redirect_uri": f"{self.base}/",
                   "scope": "manage_members", "state": "x"}
        self.links["consent"] = f"/api/2/oauth/authorize/?{urllib.parse.urlencode(request)}"

    def post(self, number):
        import smtplib
        text = (f"From: Robes Direct <sales{number}@robes.example.net>\nTo: news@lists.example.org\n"
                f"Subject: Great offer for choirs, number {number}\nMessage-ID: <{number}@robes.example.net>\n\n"
                "Dear sir or madam of choir, our robes are best quality and come in all colours.\n"
                f"https://robes.example.net/{'long' * 40}\n")
        with smtplib.SMTP("127.0.0.1", self.server.ports["smtp"]) as smtp:
            smtp.sendmail(f"sales{number}@robes.example.net", ["news@lists.example.org"], text)

    def sign_in(self):
        """No page signs in yet: a test does, in the file of the stopped server."""
        command = ["cargo", "test", "--locked", "-q", "--test", "it", "--", "--ignored", "browser::people_are_signed_in"]
        env = {**os.environ, "CRIER_BROWSER_DATA": f"{self.folder}/data"}
        done = subprocess.run(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0 or "1 passed" not in done.stdout:
            sys.exit(f"browser: nobody is signed in: {done.stdout}")
        with open(f"{self.folder}/data/browser.json") as file:
            return json.load(file)

    def decide(self, action):
        """Another moderator decides about what waits."""
        held = self.server.call("GET", "/held/?state=held")["data"][0]["id"]
        self.server.call("PUT", f"/held/{held}/", action=action)


class Browser:
    """Chromium, and what it finds."""

    def __init__(self, site, axe, folder):
        self.site, self.axe, self.folder = site, axe, folder
        self.problems, self.views, self.looks = [], 0, 0
        options = webdriver.ChromeOptions()
        for flag in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--disable-gpu",
                     "--force-prefers-reduced-motion"]:
            options.add_argument(flag)
        options.add_argument("--lang=en")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.add_experimental_option("prefs", {"intl.accept_languages": "en"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(60)

    def problem(self, view, text):
        self.problems.append(f"{view}: {text}")
        print(f"browser: {view}: {text}", flush=True)

    def url(self, path):
        return self.site.base + re.sub(r"\{(.*?)\}", lambda found: self.site.links[found[1]], path)

    def scripts(self, are_on):
        """Whether pages run scripts. The driver's own run in any case, but nothing that they wait for."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not are_on})

    def go(self, view):
        """Does what a view says, with scripts off."""
        self.scripts(False)
        if view.get("signed_out"):
            self.driver.delete_all_cookies()
        if restart := view.get("restart"):
            self.site.server.stop()
            self.site.server.start("--clock-offset", "73h", "--log-level", "info", *restart)
        if kind := view.get("sign_in"):
            self.driver.get(self.url("/"))
            self.driver.delete_all_cookies()
            # Administrators of the server have the same cookie as those of an account.
            name = "admin" if kind == "server" else kind
            self.driver.add_cookie({"name": name, "value": self.site.sessions[kind], "path": "/", "httpOnly": True})
        if fields := view.get("set"):
            self.site.server.call("PUT", "/lists/news/", **fields)
        for name, (to, kind) in view.get("mailed", {}).items():
            self.site.links[name] = wait_for(f"a mail to {to}", lambda: self.site.sink.links(to, kind))[-1]
        if path := view.get("path"):
            self.driver.get(self.url(path))
        if action := view.get("decide"):
            self.site.decide(action)
        for _ in range(view.get("times", 1) - 1):
            self.fill(view)
            # The page that the form is on goes before the next one is filled.
            self.driver.execute_script("window.isLeft = true; document.querySelector('main form').submit()")
            self.arrive()
        self.fill(view)
        self.driver.get_log("performance")
        self.driver.get_log("browser")
        # A form that is sent within two seconds is taken for a program's.
        time.sleep(view.get("wait", 0))
        if view.get("status") == 400:
            # The browser itself would refuse some of what is wrong.
            self.driver.execute_script("for (const form of document.forms) form.noValidate = true")
        # The page that a form is on goes before the next one is looked at.
        acts = any(view.get(how) for how in ("press", "submit", "raw"))
        if acts:
            self.driver.execute_script("window.isLeft = true")
        if button := view.get("press"):
            # Some buttons are folded away.
            self.driver.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")
            self.driver.find_element(By.CSS_SELECTOR, f"button[name=action][value='{button}']").click()
        elif view.get("submit"):
            # Without any button, and without what the browser itself would refuse.
            self.driver.execute_script("const f = document.querySelector('main form'); f.noValidate = true; f.submit()")
        elif raw := view.get("raw"):
            self.driver.execute_script(
                "const f = document.createElement('form'), i = document.createElement('input');"
                "f.method = 'post'; f.action = arguments[0]; f.enctype = arguments[1];"
                "i.name = 'a'; i.type = 'hidden'; i.value = 'x'.repeat(arguments[2]); f.append(i);"
                "document.body.append(f); f.submit()",
                self.url(raw["path"]), raw.get("type", "application/x-www-form-urlencoded"), raw.get("bytes", 1))
        elif view.get("path"):
            self.driver.refresh()
        self.arrive()

    def arrive(self):
        """Waits for the next page."""
        wait_for("the page", lambda: self.driver.execute_script(
            "return !window.isLeft && document.readyState === 'complete'"))

    def fill(self, view):
        for field, value in view.get("fill", {}).items():
            element = self.driver.find_element(By.ID, field)
            if element.get_attribute("type") == "datetime-local":
                # So many days from now.
                soon = time.strftime("%Y-%m-%dT%H:%M", time.gmtime(time.time() + float(value) * 86400))
                self.driver.execute_script("arguments[0].value = arguments[1]", element, soon)
                continue
            if view.get("times"):
                element.clear()
            element.send_keys(value)

    def answers(self):
        """The last status of a document, and every address that was asked."""
        status, asked = None, []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            params = message.get("params", {})
            if message["method"] == "Network.requestWillBeSent":
                asked.append(params["request"]["url"])
            if message["method"] == "Network.responseReceived" and params.get("type") == "Document":
                status = params["response"]["status"]
        return status, asked

    def look(self, name, view):
        """Looks at what is shown, in every way."""
        self.scripts(True)
        self.views += 1
        status, asked = wait_for("an answer", lambda: (found := self.answers())[0] and found)
        if status != view.get("status", 200):
            self.problem(name, f"the status is {status}")
        for url in asked:
            if not url.startswith((f"{self.site.base}/", "data:")):
                self.problem(name, f"{url} is asked")
        for entry in self.driver.get_log("browser"):
            # Chromium writes down that the document itself has the status of an error.
            if not (400 <= status and "Failed to load resource" in entry["message"]):
                self.problem(name, f"the console says {entry['message']}")
        if 400 <= status and view["page"] == "error" or status in (403, 410):
            shown = self.driver.find_element(By.TAG_NAME, "main").text
            found = re.search(r"[0-9a-f]{4}-[0-9a-f]{4}", shown)
            if not found or found[0] not in self.site.server.log_text():
                self.problem(name, "the request that the page names is not in the log")
        for width in WIDTHS:
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})
            if width == WIDTHS[0] and (screens := view.get("screens")):
                height = self.driver.execute_script("return document.documentElement.scrollHeight")
                if screens * 800 < height:
                    self.problem(name, f"the page is {height} pixels high, more than {screens} screens")
            for scheme in SCHEMES:
                self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                    "features": [{"name": "prefers-color-scheme", "value": scheme}]})
                self.look_once(f"{name}-{width}-{scheme}")

    def look_once(self, name):
        self.looks += 1
        self.check_width(name)
        self.driver.execute_script(self.axe)
        found = self.driver.execute_async_script(
            "const done = arguments[1]; axe.run(document, {runOnly: arguments[0]}).then(done, e => done(String(e)))",
            RULES)
        if isinstance(found, str):
            self.problem(name, found)
            return
        for violation in found["violations"]:
            for node in violation["nodes"]:
                self.problem(name, f"{violation['id']}: {violation['help']}: {node['html'][:200]}")
        self.driver.save_screenshot(f"{self.folder}/{name}.png") if self.is_short() else self.save_whole(name)

    def is_short(self):
        return self.driver.execute_script("return document.documentElement.scrollHeight") <= 800

    def save_whole(self, name):
        height = min(self.driver.execute_script("return document.documentElement.scrollHeight"), 3000)
        width = self.driver.execute_script("return document.documentElement.clientWidth")
        import base64
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {
            "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}})
        with open(f"{self.folder}/{name}.png", "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def check_width(self, name):
        wide = self.driver.execute_script(
            "const d = document.documentElement; return d.scrollWidth - d.clientWidth")
        if 0 < wide:
            self.problem(name, f"the page is {wide} pixels too wide")

    def walk(self, language):
        """Somebody joins on a telephone, confirms, pauses, leaves and comes back, in their language."""
        address = f"{language}@example.org"
        self.scripts(True)
        self.driver.get(self.url("/"))
        self.driver.delete_all_cookies()
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": True})
        pages = []

        def shown():
            wait_for("the next page", lambda: self.driver.execute_script(
                "return document.readyState === 'complete' && !document.documentElement.dataset.left"))
            self.scripts(True)
            pages.append(name := f"walk-{language}-{len(pages)}")
            if self.driver.find_element(By.TAG_NAME, "html").get_attribute("lang") != language:
                self.problem(name, f"the page is not in {language}")
            if self.driver.find_elements(By.CSS_SELECTOR, "[role=alert]"):
                self.problem(name, "something is wrong with the form")
            self.look_once(name)
            self.scripts(False)

        def open_page(path):
            self.driver.get(self.url(path))
            shown()

        def press(selector):
            # Until the answer is there, the browser shows the page that it leaves.
            self.driver.execute_script("document.documentElement.dataset.left = 1")
            self.driver.find_element(By.CSS_SELECTOR, f"main {selector}").click()
            shown()

        def link(kind):
            return wait_for(f"a mail to {address}", lambda: self.site.sink.links(address, kind))[-1]

        open_page(f"/lists/news/join/?lang={language}")
        self.driver.find_element(By.ID, "email").send_keys(address)
        # A form that is sent within two seconds is taken for a program's.
        time.sleep(2.1)
        press("button[value=subscribe]")
        open_page(link("confirm"))
        press("button[value=confirm]")
        # Whoever confirmed is signed in; another browser is not.
        self.driver.delete_all_cookies()
        open_page(f"/members/?lang={language}")
        self.driver.find_element(By.ID, "email").send_keys(address)
        press("form button")
        open_page(link("members/in"))
        press("button[value=signin]")
        for button in ["pause", "resume", "leave", "rejoin"]:
            press(f"button[value={button}]")
        members = self.site.server.call("GET", f"/contacts/?list=news&search={address}")["count"]
        if members != 1:
            self.problem(f"walk-{language}", f"{address} is no member in the end")

    def look_in_languages(self, name, view):
        """The longest words must fit on a telephone too; ends in English."""
        for language in LANGUAGES[1:] + LANGUAGES[:1]:
            path = self.url(view["path"])
            self.driver.get(f"{path}{'&' if '?' in path else '?'}lang={language}")
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": False})
            self.check_width(f"{name}-{language}")
            if self.driver.find_element(By.TAG_NAME, "html").get_attribute("lang") != language:
                self.problem(name, f"the page is not in {language}")
            self.driver.save_screenshot(f"{self.folder}/{name}-360-{language}.png")
        self.driver.get_log("performance")
        self.driver.get_log("browser")


def main():
    crier, axe, folder = os.path.abspath(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    with open(axe) as file:
        axe = file.read()
    with open(f"{ROOT}/tests/browser/pages.json") as file:
        views = json.load(file)
    # To look at some of them: the number of the first.
    first = int(sys.argv[4]) if len(sys.argv) == 5 else 0
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as data:
        site = Site(crier, data)
        browser = Browser(site, axe, folder)
        try:
            for language in ["de", "fr"]:
                browser.walk(language)
            browser.driver.delete_all_cookies()
            for number, view in list(enumerate(views))[first:]:
                name = f"{number:02}-{view['page']}"
                browser.go(view)
                browser.look(name, view)
                if "path" in view and "raw" not in view and "{" not in view["path"] or view.get("languages"):
                    browser.look_in_languages(name, view)
            browser.driver.delete_all_cookies()
            # The last view was of a server that takes nothing new.
            site.server.stop()
            site.server.start("--clock-offset", "73h", "--log-level", "info")
            kinds = look_at_kinds(browser, f"{ROOT}/tests/fixtures/reading")
            attacks = look_at_attacks(browser, f"{ROOT}/tests/fixtures/xss/corpus.mails")
        except Exception:
            print(site.server.log_text()[-4000:])
            raise
        finally:
            browser.driver.quit()
            site.server.stop()
    print(f"browser: {browser.views} views were looked at in {browser.looks} ways, in {time.monotonic() - begun:.0f} s")
    print(f"browser: {kinds} kinds of mail and {attacks} mails that attack were read")
    if browser.problems:
        sys.exit(f"browser: {len(browser.problems)} problems")


if __name__ == "__main__":
    main()
