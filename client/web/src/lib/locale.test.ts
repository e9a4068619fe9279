import { describe, expect, it } from 'vitest';
import { type Area, LOCALES } from '../locale/areas';
import { locale, prepare, speak, words } from './locale.svelte';
import { PAGES, PARTS, type Page } from './pages';

const AREAS: readonly Area[] = ['core', 'settings', 'race', 'hall', 'room', 'result', 'review', 'people', 'alone', 'almanac', 'rules', 'hanoi'];
const SOURCES = import.meta.glob<string>('../**/*.{ts,svelte}', { query: '?raw', import: 'default', eager: true });

/** The files that a file loads at once, and the areas it speaks from. */
function readFile(file: string): { loads: string[]; areas: string[] } {
  const text = SOURCES[file];
  if (text === undefined) throw new Error(`there is no ${file}`);
  const loads = [...text.matchAll(/^\s*(?:import|export)\s(?!type\b)[^;]*?from '(\.[^']+)';/gm)].map(([, path]) => {
    const { pathname } = new URL(path ?? '', `file:///src/lib/${file}`);
    const found = pathname.replace(/^\/src\/lib\//, './').replace(/^\/src\//, '../');
    return SOURCES[found] === undefined ? `${found}.ts` : found;
  });
  return { loads, areas: [...text.matchAll(/\bwords\('(\w+)'\)/g)].map(([, area]) => area ?? '') };
}

/** The areas of a component and of all its parts. */
function areasOf(file: string): Set<string> {
  const areas = new Set<string>();
  const seen = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const read = readFile(next);
    read.areas.forEach((area) => areas.add(area));
    open.push(...read.loads);
  }
  return areas;
}

describe('the texts of a page', () => {
  it.each(Object.entries({ ...PAGES, ...PARTS }))('of %s are there before it is shown', (_, { load, areas }: Page) => {
    const file = /(?:pages|parts)\/\w+\.svelte/.exec(load.toString())?.[0] ?? '';
    const spoken = areasOf(`../${file}`);
    expect([...spoken].filter((area) => !areas.includes(area as Area))).toEqual([]);
  });
});

/** Every part that is loaded when it is needed, with the areas that are named for it. */
const LAZY = Object.entries(SOURCES).flatMap(([file, text]) =>
  [...text.matchAll(/load: \(\) => import\('(\.[^']+)'\), areas: \[([^\]]*)\]/g)].map(([, path, areas]) => {
    const { pathname } = new URL(path ?? '', `file:///src/lib/${file}`);
    const named = [...(areas ?? '').matchAll(/'(\w+)'/g)].map(([, area]) => area ?? '');
    return { part: pathname.replace(/^\/src\/lib\//, './').replace(/^\/src\//, '../'), named };
  }),
);

describe('the texts of a part that is loaded when it is needed', () => {
  it.each(LAZY)('of $part are named where it is loaded', ({ part, named }) => {
    expect([...areasOf(part)].filter((area) => !named.includes(area))).toEqual([]);
  });

  it('are looked for in every part', () => {
    const loads = Object.entries(SOURCES).filter(([file]) => !file.includes('.test.'));
    expect(LAZY.length).toBe(loads.flatMap(([, text]) => [...text.matchAll(/load: \(\) => import\(/g)]).length);
  });
});

describe('another language', () => {
  it.each(Object.keys(LOCALES))('%s says all that the others say, and nothing in empty words', async (chosen) => {
    await speak('en');
    const english = AREAS.map((area) => shapeOf(words(area)));
    await speak(chosen as keyof typeof LOCALES);
    expect(locale()).toBe(chosen);
    expect(AREAS.map((area) => shapeOf(words(area)))).toEqual(english);
  });

  it('comes with what is loaded after it was chosen', async () => {
    await speak('de');
    await prepare(AREAS);
    expect(words('core').loadAnew).toBe('Seite neu laden');
  });
});

/** What takes the place of each text: its kind, and for functions how much they ask. */
function shapeOf(texts: unknown): unknown {
  if (typeof texts === 'string') return texts.trim() === '' ? 'nothing' : 'text';
  if (typeof texts === 'function') return `text of ${texts.length}`;
  if (Array.isArray(texts)) return texts.map(shapeOf);
  return Object.fromEntries(Object.entries(texts as object).map(([key, text]) => [key, shapeOf(text)]));
}
