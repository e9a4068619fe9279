// How many tests of each kind ran, from the logs of one run: node scripts/tally.mjs LOG_DIR
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const logs = process.argv[2];
const read = (name) => readFileSync(join(logs, name), "utf8");

function sources(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return name === "target" || name === "node_modules" ? [] : sources(path);
    return name.endsWith(".rs") ? [path] : [];
  });
}

// A property test is a function inside a `proptest! { … }` block.
const properties = new Set();
for (const path of ["shared", "server", "client"].flatMap(sources)) {
  const text = readFileSync(path, "utf8");
  for (const block of text.matchAll(/^ *proptest! \{\n([\s\S]*?)^\}|^    proptest! \{\n([\s\S]*?)^    \}/gm)) {
    for (const found of (block[1] ?? block[2]).matchAll(/fn (\w+)\(/g)) properties.add(found[1]);
  }
}
const vectors = /^(labelled|golden|deals|legality|typescript|ringed|schema|vectors)\b|::(legality|typescript)::/;

const kinds = { unit: 0, property: 0, vector: 0, store: 0, "end to end": 0, browser: 0 };
let passed = 0;
let failed = 0;
let crate = "";
let integration = false;
for (const line of read("rust").split("\n")) {
  // Each crate's unit tests run first, then its integration binary, which does not name the crate.
  const running = line.match(/Running (unittests )?\S+ \(\S*\/(\w+)-/);
  if (running) integration = !running[1];
  if (running?.[1]) crate = running[2];
  const test = line.match(/^test (\S+).* \.\.\. (ok|FAILED)$/);
  if (!test) continue;
  const [, path, verdict] = test;
  verdict === "ok" ? passed++ : failed++;
  const name = path.split("::").at(-1);
  if (properties.has(name) || path.startsWith("sim::")) kinds.property++;
  else if (vectors.test(path)) kinds.vector++;
  else if (/^(store|journal)/.test(path)) kinds.store++;
  else if (integration && crate !== "sprint_shared") kinds["end to end"]++;
  else kinds.unit++;
}
// The page's tests name file and test in one line: `✓ file > test`.
function pageTests(log, kindOf) {
  for (const line of read(log).split("\n")) {
    const plain = line.replace(/\u001b\[[0-9;]*m/g, "").trim();
    if (/^✓.* > /.test(plain)) (passed++, kinds[kindOf(plain)]++);
    if (/^[×✗].* > /.test(plain)) failed++;
  }
}
pageTests("page-unit", (line) => (/legality|vector/.test(line) ? "vector" : "unit"));
pageTests("browser", () => "browser");
console.log(Object.entries(kinds).map(([kind, count]) => `${kind} ${count}`).join(", "));
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || Object.values(kinds).some((count) => count === 0)) process.exit(1);
