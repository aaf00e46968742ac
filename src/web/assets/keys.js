// Comforts of administrators' pages. The pages do all of it without this script.
"use strict";

// Keys on the page of approvals: j and k move, a approves, r rejects, d discards.
const form = document.querySelector("form[data-keys]");
const rows = form ? [...form.querySelectorAll(".held")] : [];
const actions = { a: "approve", r: "reject", d: "discard" };
const current = () => rows.findIndex((row) => row.contains(document.activeElement));
function move(step) {
  const row = rows[Math.min(Math.max(current() + step, 0), rows.length - 1)];
  row.focus();
  row.scrollIntoView({ block: "nearest" });
}
document.addEventListener("keydown", (event) => {
  const at = event.target;
  const writes = at.matches("textarea, select, input:not([type=checkbox])");
  if (!rows.length || writes || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  const key = event.key.toLowerCase();
  if (key === "j" || key === "k") {
    event.preventDefault();
    move(key === "j" ? 1 : -1);
  } else if (actions[key]) {
    const boxes = rows.map((row) => row.querySelector("input[name=id]"));
    const row = boxes[current()];
    // With nothing selected, the key is for the message that has the focus.
    if (!boxes.some((box) => box.checked)) {
      if (!row) return;
      row.checked = true;
    }
    event.preventDefault();
    // A page of one message has the buttons of the message alone.
    const one = `button[name=one][value^=${actions[key]}-]`;
    (form.querySelector(`#buttons button[value=${actions[key]}]`) ?? form.querySelector(one)).click();
  }
});

// One box that selects every row of the page.
document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-all]")) return;
  for (const box of event.target.form.querySelectorAll("input[name=id]")) box.checked = event.target.checked;
});

// Buttons that copy what stands before them, and the boxes above: shown with the script alone.
function begin(part) {
  for (const hidden of part.querySelectorAll("[data-script]")) hidden.hidden = false;
  for (const copied of part.querySelectorAll("[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain";
    button.textContent = copied.dataset.copy;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(copied.textContent.trim());
      button.textContent = copied.dataset.copied;
    });
    copied.after(" ", button);
  }
}
begin(document);

// Searching while typing: what is found takes the place of what stands there.
const search = document.querySelector("form[role=search] input[type=search]");
const found = () => document.querySelector("[data-found]");
let waiting = 0;
let asked = 0;
async function look() {
  const url = new URL(search.form.action);
  url.search = new URLSearchParams([...new FormData(search.form)].filter(([, value]) => value)).toString();
  asked += 1;
  const mine = asked;
  const answer = await fetch(url);
  if (!answer.ok || mine !== asked) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const next = page.querySelector("[data-found]");
  if (mine !== asked || !next) return;
  found().replaceWith(next);
  begin(next);
  history.replaceState(null, "", url);
}
if (search && found()) {
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, 250);
  });
}

// A task that runs is shown anew by itself.
if (document.querySelector("[data-refresh]")) setTimeout(() => location.replace(location.href), 3000);
