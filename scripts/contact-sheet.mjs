// One page of all photographs in a folder, by scene: node scripts/contact-sheet.mjs FOLDER
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const scenes = new Map();
for (const file of readdirSync(folder).filter((name) => name.endsWith(".png")).sort()) {
  const [scene] = file.split(".");
  scenes.set(scene, [...(scenes.get(scene) ?? []), file]);
}
const figure = (file) =>
  `<figure><a href="${file}"><img src="${file}" alt="" loading="lazy"></a><figcaption>${file.replace(".png", "")}</figcaption></figure>`;
const section = ([scene, files]) => `<section id="${scene}"><h2>${scene}</h2><div>${files.map(figure).join("")}</div></section>`;
const style = `body { margin: 1rem; background: #555; color: #fff; font: 14px sans-serif }
  div { display: flex; flex-wrap: wrap; gap: 12px; align-items: start }
  figure { margin: 0 } img { display: block; max-width: 420px; max-height: 520px }`;
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Every screen</title><style>${style}</style>
${[...scenes].map(section).join("\n")}</html>\n`;
writeFileSync(join(folder, "index.html"), page);
console.log(`${join(folder, "index.html")}: ${scenes.size} scenes`);
