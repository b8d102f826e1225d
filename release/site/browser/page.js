/* The page "Why this pairing?": opens a report file and shows what the engine says about it. */

const byId = (id) => document.getElementById(id);
const waiting = new Map();
let texts = {};
let content = null; // the open file's bytes
let fileName = "";
let notes = []; // for each round that the file pairs otherwise, what to know
let round = 0;
let step = 0;
let steps = [];

// ---------- the engine ----------

// A worker from a blob has the page's content policy. From a file it would have none.
const start = new Blob([`import ${JSON.stringify(new URL("engine.js", import.meta.url).href)};`], {
  type: "text/javascript",
});
const engine = new Worker(URL.createObjectURL(start), { type: "module" });
let asked = 0;

engine.addEventListener("message", ({ data: [number, answer] }) => {
  waiting.get(number)?.(JSON.parse(answer));
  waiting.delete(number);
});

function ask(name, ...given) {
  asked += 1;
  engine.postMessage([asked, name, ...given]);
  return new Promise((resolve) => waiting.set(asked, resolve));
}

const language = () => byId("language").value;
const told = (wanted, ...numbers) => ask("answer", language(), wanted, ...numbers);

const loaded = new Promise((resolve) => {
  waiting.set(0, resolve);
  engine.addEventListener("error", () => resolve(false));
});

// ---------- building the page ----------

function element(name, { text = "", className = "", ...attributes } = {}, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(text, ...children);
  return made;
}

function show(id, text = "") {
  byId(id).textContent = text;
  byId(id).hidden = !text;
}

const cite = (article) => element("cite", { className: "article", text: article });

function reasonList(reasons) {
  const lines = reasons.map((each) => element("li", { text: `${each.sentence} ` }, cite(each.article)));
  const articles = new Map(reasons.filter((each) => each.text).map((each) => [each.article, each.text]));
  const words = [...articles].flatMap(([article, text]) => [element("dt", {}, cite(article)), element("dd", { text })]);
  const list = element("div", { className: "why stack tight" }, element("ul", {}, ...lines));
  if (words.length) {
    list.append(
      element(
        "details",
        {},
        element("summary", { text: texts.articles }),
        element("dl", { className: "replay-articles" }, ...words),
      ),
    );
  }
  return list;
}

const piece = (colour) => {
  const word = element("span", { className: "visually-hidden", text: texts[colour] });
  return element("span", {}, element("span", { className: `piece ${colour}`, "aria-hidden": "true" }), word);
};

function side(colour, player) {
  const number = element("span", { className: "tpn", text: `#${player.tpn}` });
  return element("span", {}, piece(colour), " ", element("span", { className: "name", text: player.name }), " ", number);
}

function boardItem({ board, players, summary, reasons }) {
  const heading = element("h3", { className: "game" });
  if (board) {
    const number = element("span", { className: "board-number", text: board });
    heading.append(number, side("white", players[0]), side("black", players[1]));
  } else {
    heading.append(element("span", { text: `${texts.bye}: ${players[0].name}` }));
  }
  const rules = element("details", {}, element("summary", { text: texts.rules }), reasonList(reasons));
  const made = element("li", {}, heading, element("p", { text: summary }), rules);
  made.players = players;
  return made;
}

function card(player) {
  const made = element("span", { className: player.now ? "slip now" : "slip" });
  made.append(
    element("span", { className: "tpn", text: player.tpn }),
    " ",
    element("span", { className: "slip-name", text: player.name }),
  );
  if (player.came) {
    const mark = element("span", { text: "↕", title: texts.came });
    mark.append(element("span", { className: "visually-hidden", text: texts.came }));
    made.append(" ", mark);
  }
  return made;
}

const item = (players) => element("li", {}, ...players.map(card));

function group(heading, waitingPlayers, pairs) {
  const made = element("section", { className: "replay-group" }, element("h4", { text: heading }));
  const isHere = [...waitingPlayers, ...pairs.flat()].some((player) => player.now);
  made.classList.toggle("here", isHere);
  if (waitingPlayers.length) {
    made.append(element("ul", { className: "plain" }, ...waitingPlayers.map((player) => item([player]))));
  }
  if (pairs.length) made.append(element("ul", { className: "plain replay-pairs" }, ...pairs.map(item)));
  return made;
}

function boardGroup(boards) {
  const lines = boards.map(({ board, cards: [white, black] }) => {
    const number = element("span", { className: "board-number", text: board });
    return element("li", {}, number, piece("white"), card(white), piece("black"), card(black));
  });
  const made = element("section", { className: "replay-group replay-boards here" });
  made.append(element("h4", { text: texts.boards }), element("ol", { className: "plain" }, ...lines));
  return made;
}

// ---------- what is shown ----------

async function showLabels() {
  texts = await ask("labels", language());
  document.documentElement.lang = language();
  document.title = `${texts.title} · Clubnight`;
  for (const each of document.querySelectorAll("[data-label]")) each.textContent = texts[each.dataset.label];
}

async function openReport(system) {
  if (!content) return;
  const overview = await ask("open_report", content, system, language());
  show("problem", overview.problem ?? "");
  byId("report").hidden = Boolean(overview.problem);
  if (overview.problem) return;
  byId("report-title").textContent = overview.title || fileName;
  byId("warnings").replaceChildren(...overview.warnings.map((text) => element("li", { text })));
  byId("warnings").hidden = !overview.warnings.length;
  byId("system").value = overview.system;
  const rounds = overview.next ? [...overview.rounds, overview.next] : overview.rounds;
  round = Math.min(Math.max(round || rounds.length, 1), rounds.length);
  byId("round").replaceChildren(
    ...rounds.map((text, place) => element("option", { text, value: place + 1 })),
  );
  byId("round").value = round;
  notes = [];
  await showRound();
  await showCheck();
}

async function showRound() {
  const shown = await told("round", round);
  show("round-problem", shown.problem ?? "");
  byId("round-shown").hidden = Boolean(shown.problem);
  if (shown.problem) return;
  show("round-note", notes[round - 1]);
  byId("boards").replaceChildren(...shown.boards.map(boardItem));
  findPlayers();
  byId("steps-heading").textContent = shown.heading;
  steps = shown.steps;
  byId("steps").replaceChildren(...steps.map(stepLine));
  await showStep(0);
}

// All words must be in the names of a board's players, or be their numbers.
function findPlayers() {
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain(byId("find").value).split(/[\s,;#]+/).filter(Boolean);
  for (const item of byId("boards").children) {
    const names = item.players.map((player) => plain(player.name)).join(" ");
    const numbers = item.players.map((player) => String(player.tpn));
    item.hidden = !words.every((word) => names.includes(word) || numbers.includes(word));
  }
  byId("nobody").hidden = [...byId("boards").children].some((item) => !item.hidden);
}

function stepLine(text, place) {
  const button = element("button", { type: "button", className: "quiet", text });
  button.addEventListener("click", () => showStep(place));
  return element("li", {}, button);
}

async function showStep(place) {
  step = Math.min(Math.max(place, 0), steps.length - 1);
  const shown = await told("step", round, step);
  byId("step-count").textContent = shown.count;
  byId("step-heading").textContent = shown.heading;
  const parts = shown.groups.map((each) => group(each.heading, each.waiting, each.pairs));
  if (shown.boards.length) parts.unshift(boardGroup(shown.boards));
  if (shown.bye.length) parts.push(group(texts.bye, shown.bye, []));
  byId("step-table").replaceChildren(...parts);
  byId("step-now").replaceChildren(element("p", { text: shown.waiting }), reasonList(shown.reasons));
  byId("step-now").hidden = !shown.waiting && !shown.reasons.length;
  for (const button of document.querySelectorAll("[data-go]")) {
    button.disabled = button.dataset.go in { first: 0, back: 0 } ? step === 0 : step === steps.length - 1;
  }
}

async function showCheck() {
  const rounds = await told("check");
  notes = rounds.problem ? [] : rounds.map((each) => each.note);
  show("round-note", notes[round - 1]);
  const badges = { agrees: "good", differs: "care", illegal: "problem" };
  const list = (heading, pairs) =>
    element(
      "div",
      {},
      element("h4", { text: heading }),
      element("ul", { className: "plain" }, ...pairs.map((text) => element("li", { text }))),
    );
  const parts = (rounds.problem ? [] : rounds).map((each) => {
    const badge = element("span", { className: `badge ${badges[each.verdict]}`, text: texts[each.verdict] });
    const made = element("section", { className: "stack tight" });
    made.append(element("h3", { text: `${each.heading} ` }, badge));
    if (each.breaches.length) {
      const lines = each.breaches.map((breach) => element("li", { text: `${breach.text} ` }, cite(breach.article)));
      made.append(element("ul", {}, ...lines));
    }
    if (each.problem) made.append(element("p", { text: each.problem }));
    if (each.actual.length || each.expected.length) {
      const halves = element("div", { className: "halves" });
      halves.append(list(texts.actual, each.actual), list(texts.expected, each.expected));
      made.append(halves);
    }
    return made;
  });
  if (rounds.problem) parts.push(element("p", { text: rounds.problem }));
  else if (!parts.length) parts.push(element("p", { text: texts.none }));
  byId("check").replaceChildren(...parts);
}

// ---------- what the reader does ----------

async function openFile(bytes, name, system = "") {
  content = new Uint8Array(bytes);
  fileName = name;
  round = 0;
  byId("find").value = "";
  if (await ready) await openReport(system);
}

byId("file").addEventListener("change", async ({ target }) => {
  const file = target.files[0];
  if (file) await openFile(await file.arrayBuffer(), file.name);
});

async function openExample(system) {
  await openFile(await (await fetch("example.trf")).arrayBuffer(), "example.trf", system);
}

byId("example").addEventListener("click", () => openExample(""));

byId("system").addEventListener("change", ({ target }) => openReport(target.value));

byId("round").addEventListener("change", ({ target }) => {
  round = Number(target.value);
  showRound();
});

byId("language").addEventListener("change", async () => {
  if (!(await ready)) return;
  await showLabels();
  await openReport(byId("system").value);
});

for (const button of document.querySelectorAll("[data-go]")) {
  const places = { first: () => 0, back: () => step - 1, next: () => step + 1, last: () => steps.length - 1 };
  button.addEventListener("click", () => showStep(places[button.dataset.go]()));
}

document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});

document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));

document.addEventListener("drop", async (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const file = event.dataTransfer.files[0];
  if (file) await openFile(await file.arrayBuffer(), file.name);
});

byId("find").addEventListener("input", findPlayers);

// ---------- start ----------

const known = [...byId("language").options].map((option) => option.value);
byId("language").value = navigator.languages.map((each) => each.slice(0, 2)).find((each) => known.includes(each)) ?? "en";
byId("state").textContent = byId("state").dataset.loading;

const ready = loaded.then(async (isLoaded) => {
  byId("state").textContent = "";
  if (isLoaded) await showLabels();
  else show("problem", byId("problem").dataset.failed);
  return isLoaded;
});

// A system's page of the documentation links to the example under that system.
const query = new URLSearchParams(location.search);
if (query.has("example")) openExample(query.get("system") ?? "");

// Keeping the files must not delay the first answer.
if ((await ready) && "serviceWorker" in navigator) {
  await navigator.serviceWorker.register("service_worker.js");
  await navigator.serviceWorker.ready;
  byId("state").textContent = texts.offline;
}
