/* Runs the engine in a worker, so that the page stays usable. A message is a number, a function's name and its
   arguments. The answer is the number and JSON. */

import { loadPyodide } from "./pyodide/pyodide.mjs";

const HERE = new URL(".", import.meta.url).href;

async function load() {
  const [python, archive] = await Promise.all([
    loadPyodide({ indexURL: `${HERE}pyodide/` }),
    fetch(`${HERE}engine.zip`).then((response) => response.arrayBuffer()),
  ]);
  python.unpackArchive(archive, "zip");
  return [python, python.pyimport("clubnight_engine.explanations.explained_report")];
}

const loaded = load();
loaded.then(
  () => self.postMessage([0, "true"]),
  () => self.postMessage([0, "false"]),
);

self.addEventListener("message", async ({ data: [number, name, ...given] }) => {
  const [python, report] = await loaded;
  self.postMessage([number, report[name](...given.map((each) => python.toPy(each)))]);
});
