/* Compiles the Python modules that the page "Why this pairing?" uses: node compile_python.mjs FOLDER compile_python.py.
   It explains the example to find out which those are. */

import { readFileSync, writeFileSync } from "node:fs";

const [folder, script] = process.argv.slice(2);
const { loadPyodide } = await import(`${folder}/pyodide/pyodide.mjs`);
const python = await loadPyodide();
const read = (name) => python.toPy(new Uint8Array(readFileSync(`${folder}/${name}`)));

python.unpackArchive(readFileSync(`${folder}/engine.zip`).buffer, "zip");
const report = python.pyimport("clubnight_engine.explanations.explained_report");
report.labels("pl");
report.open_report(read("example.trf"), "", "pl");
for (const wanted of ["check", "overview"]) report.answer("pl", wanted);
report.answer("pl", "round", 3);
report.answer("pl", "step", 3, 0);

python.runPython(readFileSync(script, "utf-8"));
const compile = python.globals.get("compile_archive");
const library = python.runPython('next(place for place in sys.path if place.endswith(".zip"))');
for (const [name, place] of [["engine.zip", python.FS.cwd()], ["pyodide/python_stdlib.zip", library]]) {
  writeFileSync(`${folder}/${name}`, compile(read(name), place).toJs());
}
