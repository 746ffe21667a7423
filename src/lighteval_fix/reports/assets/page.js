"use strict";
// Model text is data: it reaches the page through textContent alone, never as markup.
const D = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const ROW = 56;
const items = D.items;
// Where the harness scored the item as a whole, a sample of it may be wrong and the item recovered all the same.
const moved = (it) => (changed(it) && it.samples > 1 && it.recorded === null ? "item " : "") + words(it.change);
const changed = (it) => it.change === "recovered" || it.change === "withdrawn";
const key = (it) => `run=${it.run}&row=${it.row}&sample=${it.sample}`;
let shown = [], selected = -1;

function el(tag, attrs, ...children) {
  const node = document.createElement(tag);
  for (const [k, v] of Object.entries(attrs || {})) node.setAttribute(k, v);
  for (const c of children) if (c !== null && c !== undefined) node.append(c);
  return node;
}
const words = (code) => String(code).replaceAll("_", " ");

function options(id, values) {
  const select = $(id);
  for (const v of values) select.append(el("option", { value: v }, words(v)));
}
const distinct = (f) => [...new Set(items.flatMap(f))].filter((v) => v !== null && v !== undefined).sort();

options("f-change", distinct((it) => [it.change]));
options("f-standing", distinct((it) => [it.standing]));
options("f-cause", distinct((it) => [it.cause]));
options("f-policy", distinct((it) => Object.keys(it.policies || {})));
if (!items.some(changed)) $("f-change").value = "";

function standing(it) {
  const policy = $("f-policy").value;
  return policy && it.policies && it.policies[policy] ? it.policies[policy] : it.standing;
}
function haystack(it) {
  if (it.hay === undefined) {
    const texts = (it.parts || []).map((p) => p[1]);
    it.hay = [it.id, it.answer, ...(it.golds || []), it.question, ...texts].filter(Boolean).join("\n").toLowerCase();
  }
  return it.hay;
}
function filter() {
  const q = $("q").value.trim().toLowerCase();
  const run = $("f-run") ? $("f-run").value : "";
  const change = $("f-change").value, want = $("f-standing").value, cause = $("f-cause").value;
  shown = items.filter((it) =>
    (run === "" || String(it.run) === run) &&
    (change === "" || (change === "changed" ? changed(it) : it.change === change)) &&
    (want === "" || standing(it) === want) &&
    (cause === "" || it.cause === cause) &&
    (q === "" || haystack(it).includes(q)));
  $("count").textContent = `${shown.length.toLocaleString("en")} of ${items.length.toLocaleString("en")} shown`;
  $("spacer").style.height = `${shown.length * ROW}px`;
  $("list").scrollTop = 0;
  selected = -1;
  draw();
}
function draw() {
  const list = $("list");
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 4);
  const last = Math.min(shown.length, first + Math.ceil(list.clientHeight / ROW) + 8);
  for (const old of list.querySelectorAll(".row")) old.remove();
  for (let k = first; k < last; k++) {
    const it = shown[k];
    const row = el("div", { class: "row", role: "option", id: `row-${k}`, "aria-selected": String(k === selected),
      "aria-posinset": String(k + 1), "aria-setsize": String(shown.length) },
      el("div", { class: "top" }, el("strong", {}, `${it.id}${it.samples > 1 ? ` #${it.sample}` : ""}`),
        el("span", { class: `tag ${it.change}` }, moved(it)), el("span", { class: `tag ${standing(it)}` }, words(standing(it))),
        el("span", { class: "faint" }, it.cause ? words(it.cause) : "")),
      el("div", { class: "line" }, `${(it.golds || [""])[0]}  |  ${it.answer === null ? words(it.none || "no answer") : it.answer}`));
    row.style.top = `${k * ROW}px`;
    row.addEventListener("click", () => choose(k, true));
    list.append(row);
  }
  if (selected >= 0) list.setAttribute("aria-activedescendant", `row-${selected}`);
  else list.removeAttribute("aria-activedescendant");
}
function choose(k, open) {
  if (!shown.length) return;
  selected = Math.max(0, Math.min(shown.length - 1, k));
  const list = $("list"), y = selected * ROW;
  if (y < list.scrollTop) list.scrollTop = y;
  else if (y + ROW > list.scrollTop + list.clientHeight) list.scrollTop = y + ROW - list.clientHeight;
  draw();
  if (open) { detail(shown[selected]); history.replaceState(null, "", "#" + key(shown[selected])); }
}
function pair(dl, name, ...value) { dl.append(el("dt", {}, name), el("dd", {}, ...value)); }
function detail(it) {
  const box = $("detail");
  box.replaceChildren();
  box.append(el("h3", {}, `${D.runs[it.run]} · ${it.id}${it.samples > 1 ? `, sample ${it.sample}` : ""}`));
  const dl = el("dl");
  pair(dl, "verdict", el("span", { class: `tag ${it.standing}` }, words(it.standing)), " ",
    el("span", { class: `tag ${it.change}` }, moved(it)));
  if (it.recorded !== null) pair(dl, "recorded", String(it.recorded));
  if (it.cause) pair(dl, "cause", `${words(it.cause)} (${it.cause_by})`);
  pair(dl, "gold", el("span", { class: "answer" }, (it.golds || []).join("  or  ")));
  pair(dl, "answer", el("span", { class: "answer" }, it.answer === null ? words(it.none || "none") : it.answer));
  if (it.rule) pair(dl, "read by", words(it.rule) + (it.in_reasoning ? ", inside the reasoning" : ""));
  if (it.verdict) pair(dl, "proof", words(it.verdict) + (it.evidence ? `: “${it.evidence}”` : ""));
  if (it.gold_form) { pair(dl, "gold as parsed", el("code", {}, it.gold_form)); pair(dl, "answer as parsed", el("code", {}, it.answer_form)); }
  for (const [p, s] of Object.entries(it.policies || {})) pair(dl, `under ${p}`, words(s));
  if (it.marks && it.marks.length) pair(dl, "marks", it.marks.map(words).join(", "));
  if (it.detail) pair(dl, "note", it.detail);
  box.append(dl);
  if (it.question) box.append(el("details", { open: "" }, el("summary", {}, "Question"), el("pre", {}, it.question)));
  if (it.parts) {
    box.append(el("p", { class: "legend" }, el("mark", {}, "what we read"), "  ", el("mark", { class: "harness" }, "what the harness graded"), "  ",
      el("mark", { class: "both" }, "both"), "  ", el("mark", { class: "passed" }, "seen and passed over")));
    let pre = el("pre");
    for (const [kind, text] of it.parts) {
      if (kind === "reasoning") {
        if (pre.hasChildNodes()) box.append(pre);
        box.append(el("details", { class: "reasoning" }, el("summary", {}, `Reasoning, ${text.length.toLocaleString("en")} characters shown`), el("pre", {}, text)));
        pre = el("pre");
      } else if (kind === "plain") pre.append(text);
      else pre.append(el("mark", kind === "read" ? {} : { class: kind }, text));
    }
    box.append(pre);
  } else box.append(el("p", { class: "faint" }, "The text of this item is not in the page. lighteval-fix explain shows it."));
}
function follow() {
  const target = location.hash.slice(1);
  if (!target.startsWith("run=")) return;
  let k = shown.findIndex((it) => key(it) === target);
  if (k < 0 && items.some((it) => key(it) === target)) {
    for (const id of ["q", "f-change", "f-standing", "f-cause", "f-policy", "f-run"]) if ($(id)) $(id).value = "";
    filter();
    k = shown.findIndex((it) => key(it) === target);
  }
  if (k >= 0) { choose(k, true); $("items").scrollIntoView(); }
}
let timer = 0;
$("q").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(filter, 80); });
$("filters").addEventListener("change", filter);
$("filters").addEventListener("submit", (e) => e.preventDefault());
$("list").addEventListener("scroll", draw, { passive: true });
addEventListener("resize", draw);
addEventListener("hashchange", follow);
$("list").addEventListener("keydown", (e) => {
  const page = Math.floor($("list").clientHeight / ROW);
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[e.key];
  if (step !== undefined) choose(selected < 0 ? 0 : selected + step, false);
  else if (e.key === "Home") choose(0, false);
  else if (e.key === "End") choose(shown.length - 1, false);
  else if (e.key === "Enter" || e.key === " ") { choose(selected, true); $("detail").focus(); }
  else return;
  e.preventDefault();
});
$("detail").addEventListener("keydown", (e) => { if (e.key === "Escape") $("list").focus(); });
addEventListener("keydown", (e) => {
  if (e.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) { $("q").focus(); e.preventDefault(); }
});
function theme(name) {
  document.documentElement.dataset.theme = name;
  $("theme").textContent = name === "dark" ? "Light" : "Dark";
  $("theme").setAttribute("aria-pressed", String(name === "dark"));
}
if (matchMedia("(prefers-color-scheme: dark)").matches) theme("dark");
$("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
filter();
follow();
