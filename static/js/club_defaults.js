/* Suggests a new club's time zone and currency from the browser and the other fields. Values the user has chosen stay.
   Without this file, the defaults are the server's time zone and the currency of the page's language. */

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
