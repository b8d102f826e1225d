/* Order of search results: what people do with Clubnight comes before how it is made. Sphinx redeclares the name. */
const LATER = ["docs/project/", "docs/developer/", "lab/", "tests/", "CHANGELOG", "CONTRIBUTING"];

var Scorer = {
  score: ([page, , , , score]) => (LATER.some((start) => page.startsWith(start)) ? score / 4 : score),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
