/* The player's board, pinned to the top of every page of the event. The page is the same for everyone, so the board is
   requested separately, and again only if the page's marks show that the rounds or this board have changed. Loaded by
   clubnight.js on devices that know their players. The reasons are in docs/project/decisions/0021-my-board.md. */

const slot = document.getElementById("pinned");
const said = document.getElementById("said");
/* Whose board was saved in this tab. Another person on the device does not see it. */
const whose = `${slot.dataset.ask ?? ""} ${/(?:^|; )knows-me=(\w+)/.exec(document.cookie)?.[1] ?? ""}`;
const kept = `pinned ${slot.dataset.address} ${document.documentElement.lang} ${whose}`;
const LETTERS_OF_BOARD = 3;
let marks = marksNow();
let asking = false;

function marksNow() {
  const { rounds = "", boards = "" } = document.getElementById("live")?.dataset ?? {};
  return { rounds, boards };
}

function put(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  slot.replaceChildren(...[...fresh.body.children].map((each) => document.importNode(each, true)));
  slot.hidden = !slot.firstElementChild;
  markOwnRows();
}

/* The height that the event's next page reserves for it (pinned_place.js). */
function noteHeight() {
  sessionStorage.setItem(`pinned-height ${location.pathname.split("/").slice(0, 4).join("/")}`, slot.hidden ? 0 : Math.ceil(slot.getBoundingClientRect().height));
}

/* In tables and lists of boards, where people look for their own name. */
function markOwnRows() {
  const own = [...slot.children].map(({ dataset }) => dataset.card).filter(Boolean);
  for (const row of document.querySelectorAll(".standings tr, .boards tr, .crosstable tr")) {
    row.classList.toggle("own", own.some((card) => row.querySelector(`a[href="${card}"]`)));
  }
}

const markOf = (all, board) => all.boards.slice((board - 1) * LETTERS_OF_BOARD, board * LETTERS_OF_BOARD);

function concernsMe(now) {
  if (now.rounds !== marks.rounds) return true;
  return [...slot.children].some(({ dataset }) => dataset.board && markOf(now, dataset.board) !== markOf(marks, dataset.board));
}

async function ask() {
  if (asking) return;
  asking = true;
  const now = marksNow();
  const isNews = marks.rounds !== now.rounds;
  try {
    const answer = await fetch(slot.dataset.address, { cache: "no-store", signal: AbortSignal.timeout(15_000) });
    if (answer.ok) {
      const html = answer.status === 204 ? "" : await answer.text();
      put(html);
      /* Nobody on this device plays here: the reserved space goes. */
      if (!html) document.documentElement.classList.remove("has-board");
      sessionStorage.setItem(kept, html);
      noteHeight();
      marks = now;
      if (isNews) said.textContent = [...slot.children].map(({ dataset }) => dataset.said).join(" ");
    }
  } catch {
    /* The page itself says that there is no connection, and the next news try again. */
  }
  asking = false;
}

put(sessionStorage.getItem(kept) ?? "");
ask();
document.addEventListener("clubnight:updated", () => {
  markOwnRows();
  if (concernsMe(marksNow())) ask();
});
window.addEventListener("pageshow", (event) => { if (event.persisted) ask(); });
