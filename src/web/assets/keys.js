// Keys on the page of approvals: j and k move, a approves, r rejects, d discards. The page does all of it without them.
"use strict";
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
    form.querySelector(`#buttons button[value=${actions[key]}]`).click();
  }
});
