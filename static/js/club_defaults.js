/* A new club's clock and currency, preset by what the browser and the other fields tell; what somebody has chosen stays.
   Without this file the clock is the server's, and the currency that of the page's language. */

const zone = document.querySelector("[data-clock]");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !zone.value && [...zone.options].some(({ value }) => value === here)) zone.value = here;

const currency = document.querySelector("[data-currencies]");
const known = JSON.parse(currency.dataset.currencies);
const beside = (name) => currency.form.elements[currency.name.replace(/currency$/, name)];
const [federation, language] = [beside("federation"), beside("language")];
const atFirst = { language: language.value, currency: currency.value };
let isChosen = "chosen" in currency.dataset;

function preset() {
  if (isChosen) return;
  const ofLanguage = language.value === atFirst.language ? atFirst.currency : known[language.value];
  currency.value = known[federation.value.trim().toUpperCase()] ?? ofLanguage ?? known.other;
}

currency.addEventListener("input", () => {
  isChosen = true;
});
federation.addEventListener("input", preset);
language.addEventListener("change", preset);
