"""Mails on their pages in the browser: the kinds that people send (`tests/fixtures/reading`), which must read well in every
way, and mails that attack whoever reads them (`tests/fixtures/xss`), scripts on: none of these runs anything, asks
another server for anything, leads elsewhere, or breaks the page around it.
"""

import pathlib
import smtplib

from selenium.common.exceptions import NoAlertPresentException

MAILS_MIN = 200

# What must hold of the page around a mail, whatever the mail is. Nothing of a mail stands outside of `main`.
SOUND = """
const main = document.querySelector('main');
const wrong = [];
const one = (selector) => { if (document.querySelectorAll(selector).length !== 1) wrong.push(`not one ${selector}`); };
one('h1'); one('main'); one('body > header.head'); one('body > footer.foot'); one('article.msg');
const seen = (element) => element && element.getClientRects().length > 0;
if (!seen(document.querySelector('h1'))) wrong.push('the title is not seen');
if (!seen(document.querySelector('footer.foot a'))) wrong.push('the footer is not seen');
if (document.body.children.length !== 4) wrong.push(`${document.body.children.length} elements in the body`);
for (const element of main.querySelectorAll('*')) {
  const name = element.localName;
  if (/^(script|style|iframe|frame|object|embed|svg|math|base|meta|link|template|video|audio|dialog)$/.test(name) &&
      !element.closest('.months')) wrong.push(`<${name}>`);
  for (const {name: key, value} of element.attributes) {
    if (/^on/.test(key) || key === 'style' || key === 'srcset') wrong.push(`<${name} ${key}>`);
    if (/^(href|src|action|formaction)$/.test(key) && !/^(https?:|mailto:|\\/|#|\\?)/.test(value)) wrong.push(`${key}=${value}`);
    if (key === 'src' && new URL(value, document.baseURI).origin !== location.origin) wrong.push(`src=${value}`);
  }
}
for (const form of document.forms) {
  if (new URL(form.getAttribute('action') || '', document.baseURI).origin !== location.origin) wrong.push(`form ${form.action}`);
}
return wrong;
"""


def mails(path):
    """The mails of the corpus by their names."""
    with open(path, "rb") as file:
        parts = file.read().split(b"===== ")
    for part in parts[1:]:
        name, raw = part.split(b"\r\n", 1)
        yield name.decode(), raw


def look_at_kinds(browser, folder):
    """Posts a mail of each kind to a list with a public archive, and looks at the page of each."""
    site = browser.site
    site.server.call("POST", "/lists/", name="kinds", moderate="0", description="Mails of every kind")
    paths = sorted(pathlib.Path(folder).glob("*.eml"))
    for path in paths:
        raw = path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        with smtplib.SMTP("127.0.0.1", site.server.ports["smtp"]) as smtp:
            smtp.sendmail("eve@example.org", ["kinds@lists.example.org"], raw)
        newest = site.server.call("GET", "/messages/?list=kinds&limit=1")["data"][0]["id"]
        browser.driver.get(browser.url(f"/lists/kinds/messages/{newest}/"))
        browser.look(f"mail-{path.stem}", {"page": "message"})
    return len(paths)


def look_at_attacks(browser, path):
    """Posts the corpus to a list with a public archive, and opens the page of each message, and those of all."""
    site, driver = browser.site, browser.driver
    site.server.call("POST", "/lists/", name="attacks", moderate="0", description="Open to all")
    refused = []
    with smtplib.SMTP("127.0.0.1", site.server.ports["smtp"]) as smtp:
        for name, raw in mails(path):
            try:
                smtp.sendmail("eve@example.org", ["attacks@lists.example.org"], raw)
            except smtplib.SMTPException as error:
                refused.append(f"{name}: {error}")
                smtp.rset()
    shown = []
    while page := site.server.call(
            "GET", f"/messages/?list=attacks&limit=100{f'&after={shown[-1]}' if shown else ''}")["data"]:
        shown += [message["id"] for message in page]
    if len(shown) < MAILS_MIN:
        browser.problem("attacks", f"{len(shown)} mails are in the archive; refused: {refused}")
    driver.delete_all_cookies()
    browser.scripts(True)
    below = "/lists/attacks/"
    paths = [f"{below}messages/{number}/" for number in shown]
    for path in [*paths, below, f"{below}search/?q=alert", f"{below}months/"]:
        look(browser, path, is_message=path in paths)
    return len(shown)


def look(browser, path, is_message):
    driver, url = browser.driver, browser.url(path)
    driver.get_log("performance"), driver.get_log("browser")
    driver.get(url)
    try:
        browser.problem(path, f"a dialog says {driver.switch_to.alert.text}")
        driver.switch_to.alert.dismiss()
    except NoAlertPresentException:
        pass
    status, asked = browser.answers()
    if status != 200 and is_message:
        browser.problem(path, f"the status is {status}")
    if driver.current_url != url and is_message:
        browser.problem(path, f"it leads to {driver.current_url}")
    for other in asked:
        if not other.startswith(f"{browser.site.base}/"):
            browser.problem(path, f"{other} is asked")
    for entry in driver.get_log("browser"):
        # There is no icon, and the corpus has images that are none.
        if status == 200 and "/parts/" not in entry["message"] and "/favicon.ico" not in entry["message"]:
            browser.problem(path, f"the console says {entry['message']}")
    if is_message:
        for wrong in driver.execute_script(SOUND):
            browser.problem(path, wrong)
