#!/usr/bin/env python3
"""OAuth 2.0 and OpenID Connect with software that other people wrote: authlib, requests-oauthlib and openid-client are
applications that a person allows something, and oidc-provider is where a person signs in.

Usage: tests/oauth.py path/to/crier folder/with/node_modules, with the packages authlib and requests-oauthlib from PyPI,
oidc-provider and openid-client from npm, and node.
"""

import html.parser
import json
import os
import subprocess
import sys
import tempfile
import urllib.parse

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

import authlib.common.security  # noqa: E402
import authlib.integrations.requests_client  # noqa: E402
import requests  # noqa: E402
import requests_oauthlib  # noqa: E402

from programs import Server, free_port  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
PERSON, PASSWORD = "you@example.org", "a horse, of course"
# Nobody listens there: the browser's way ends before.
CALLBACK = "http://127.0.0.1:9/callback"


def check(holds, what):
    if not holds:
        sys.exit(f"oauth: {what}")


class Forms(html.parser.HTMLParser):
    """The forms of a page, each with where it is sent and its fields."""

    def __init__(self, text):
        super().__init__()
        self.forms = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "form":
            self.forms.append({"action": attrs.get("action", ""), "fields": {}, "names": []})
        elif tag in ("input", "button") and self.forms and "name" in attrs:
            self.forms[-1]["names"].append((attrs["name"], attrs.get("value", "")))
            if tag == "input" and attrs.get("type") == "hidden":
                self.forms[-1]["fields"][attrs["name"]] = attrs.get("value", "")


class Browser:
    """Somebody's browser: follows redirects, up to the one that leaves for an address nobody serves."""

    def __init__(self):
        self.session = requests.Session()

    def follow(self, answer):
        while answer.is_redirect:
            url = urllib.parse.urljoin(answer.url, answer.headers["location"])
            if url.startswith(CALLBACK):
                return url
            answer = self.session.get(url, allow_redirects=False, timeout=60)
        return answer

    def open(self, url):
        return self.follow(self.session.get(url, allow_redirects=False, timeout=60))

    def send(self, page, has, **fields):
        """Sends the form of a page that has a field, or a button with a value."""
        forms = [form for form in Forms(page.text).forms if any(has in pair for pair in form["names"])]
        check(forms, f"{page.url} has no form with {has}: {page.status_code} {page.text}")
        url = urllib.parse.urljoin(page.url, forms[0]["action"])
        return self.follow(
            self.session.post(url, data=forms[0]["fields"] | fields, allow_redirects=False, timeout=60)
        )


class Site:
    """A server with a list, an administrator with a password, and a provider by which others sign in."""

    def __init__(self, crier, folder):
        self.crier, self.folder = crier, folder
        self.base, self.provider = (f"http://127.0.0.1:{free_port()}" for _ in range(2))
        secret = f"{folder}/secret"
        with open(secret, "w") as file:
            file.write("hunter2\n")
        self.server = Server(crier, folder, free_port())
        serve = self.server.serve
        serve[serve.index("--base-url") + 1] = self.base
        serve[serve.index("--http-listen") + 1] = self.base.removeprefix("http://")
        self.server.start("--oidc", f"name=work,issuer={self.provider},client-id=lists,client-secret-file={secret}")
        link = self.run("admin", "link", PERSON)["link"]
        chosen = requests.post(link, data={"password": PASSWORD}, timeout=60)
        check(chosen.ok, f"no password is chosen: {chosen.text}")

    def run(self, *command):
        command = [self.crier, *command, "--data", f"{self.folder}/data", "--json"]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    def application(self, *flags):
        made = self.run("oauth-client", "create", "--name", "School diary", "--redirect-uri", CALLBACK, *flags)
        return made["client_id"], made["client_secret"] or ""

    def metadata(self):
        return requests.get(f"{self.base}/.well-known/oauth-authorization-server", timeout=60).json()

    def lists(self, client):
        return client.get(f"{self.base}/api/2/lists/", timeout=60)

    def allowed(self, url):
        """What a browser comes back with whose person signs in and allows what an application asks for."""
        browser = Browser()
        page = browser.open(url)
        page = browser.send(page, "password", username=PERSON, password=PASSWORD)
        check("School diary" in page.text and PERSON in page.text, f"nobody is asked: {page.text}")
        return browser.send(page, "allow", action="allow")


def authlib_client(site):
    """An application with a secret, and a public one, by authlib."""
    metadata = site.metadata()
    for flags in [[], ["--public"]]:
        client_id, secret = site.application(*flags)
        client = authlib.integrations.requests_client.OAuth2Session(
            client_id, secret or None, scope="read", redirect_uri=CALLBACK, code_challenge_method="S256",
            token_endpoint_auth_method="client_secret_basic" if secret else "none",
            revocation_endpoint_auth_method="client_secret_basic" if secret else "none",
            token_endpoint=metadata["token_endpoint"],
        )
        verifier = authlib.common.security.generate_token(48)
        url, state = client.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier)
        back = site.allowed(url)
        token = client.fetch_token(authorization_response=back, state=state, code_verifier=verifier)
        check(token["scope"] == "read" and token["expires_in"] == 3600, f"authlib got {token}")
        check(site.lists(client).json()["data"][0]["name"] == "news", "authlib reads the list")
        refused = client.post(f"{site.base}/api/2/lists/", data={"name": "other"}, timeout=60)
        check(refused.status_code == 403, f"read writes: {refused.text}")
        renewed = client.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])
        check(renewed["refresh_token"] != token["refresh_token"], "the refresh token stays")
        check(site.lists(client).ok, "authlib reads with the new token")
        ended = client.revoke_token(metadata["revocation_endpoint"], token=renewed["refresh_token"])
        check(ended.ok, f"authlib ends nothing: {ended.text}")
        client.token = dict(renewed, expires_at=renewed["expires_at"] + 3600)
        check(site.lists(client).status_code == 401, "a revoked token reads")


def requests_oauthlib_client(site):
    """An application that proves itself by Basic authentication, and renews by the endpoint for that."""
    metadata = site.metadata()
    client_id, secret = site.application()
    client = requests_oauthlib.OAuth2Session(
        client_id, redirect_uri=CALLBACK, scope=["read", "manage_members"], pkce="S256"
    )
    url, _ = client.authorization_url(metadata["authorization_endpoint"])
    token = client.fetch_token(
        metadata["token_endpoint"], authorization_response=site.allowed(url), client_secret=secret
    )
    made = client.post(f"{site.base}/api/2/contacts/", data={"emails": "ada@example.org"}, timeout=60)
    check(made.ok, f"requests-oauthlib writes nothing: {made.text}")
    renewed = client.refresh_token(
        f"{site.base}/api/2/oauth/refresh/", auth=requests.auth.HTTPBasicAuth(client_id, secret)
    )
    check(renewed["access_token"] != token["access_token"], "the access token stays")
    check(site.lists(client).ok, "requests-oauthlib reads with the new token")


def openid_client(site, node_modules):
    """An application with a secret, and a public one, by openid-client."""
    for flags in [[], ["--public"]]:
        client_id, secret = site.application(*flags)
        command = ["node", f"{HERE}/oauth/client.mjs", node_modules, site.base, client_id, secret, CALLBACK]
        program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        url = program.stdout.readline().strip()
        out, _ = program.communicate(site.allowed(url) + "\n", timeout=120)
        check(program.returncode == 0 and out.strip() == "passed", f"openid-client: {out}")


def provider(site, node_modules):
    """Administrators who sign in at oidc-provider."""
    call = site.server.call
    for name in ["ruth", "unproven", "eve"]:
        call("POST", "/admins/", username=f"{name}@example.org", permissions="manage_members",
             authn_provider="" if name == "eve" else "work", welcome_email="0")
    down = Browser().open(f"{site.base}/login/provider/work/")
    check(down.status_code == 502, f"a provider that is down: {down.status_code} {down.text}")
    port = site.provider.rsplit(":", 1)[1]
    command = ["node", f"{HERE}/oauth/provider.mjs", node_modules, port, f"{site.base}/login/provider/work/back/"]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        check(program.stdout.readline().strip() == "ready", "the provider does not start")
        for name, status in [("ruth", 200), ("ruth", 200), ("unproven", 403), ("eve", 403)]:
            browser = Browser()
            page = browser.open(f"{site.base}/login/?next=%2Fadmin%2Fme%2F")
            check("/login/provider/work/" in page.text, "the login page leads to the provider")
            page = browser.open(f"{site.base}/login/provider/work/?next=%2Fadmin%2Fme%2F")
            page = browser.send(page, "login", login=name, password="x")
            page = browser.send(page, "consent")
            check(page.status_code == status, f"{name}: {page.status_code} {page.text}")
            is_in = page.url == f"{site.base}/admin/me/"
            check(is_in == (status == 200), f"{name} is at {page.url}")
    finally:
        program.terminate()
        program.wait()


def main(crier, node_modules):
    with tempfile.TemporaryDirectory() as folder:
        site = Site(os.path.abspath(crier), folder)
        authlib_client(site)
        print("oauth: authlib passes")
        requests_oauthlib_client(site)
        print("oauth: requests-oauthlib passes")
        openid_client(site, os.path.abspath(node_modules))
        print("oauth: openid-client passes")
        provider(site, os.path.abspath(node_modules))
        print("oauth: oidc-provider passes")
        check(site.server.stop() == 0, site.server.log_text())
        check("hunter2" not in site.server.log_text(), "the log has a secret")


main(*sys.argv[1:])
