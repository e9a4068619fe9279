// The language that the page speaks, and its texts as far as they are loaded.

import { type Area, type Catalogue, LOCALES, type Locale } from '../locale/areas';
import { settings } from './settings.svelte';

type Texts = Partial<Record<Area, unknown>>;

const FILES = import.meta.glob<{ default: unknown }>('../locale/*/*.ts');

/** Replaced as a whole: a page never shows two languages at once. */
let spoken = $state.raw<{ locale: Locale; texts: Texts }>({ locale: wanted(), texts: {} });

/** The language that is spoken now. */
export function locale(): Locale {
  return spoken.locale;
}

/** The texts of an area. A page names its areas in `pages.ts`: they are there before it is shown. */
export function words<A extends Area>(area: A): Catalogue[A] {
  const found = spoken.texts[area];
  if (found === undefined) throw new Error(`the texts of ${area} are not loaded: name the area in lib/pages.ts`);
  return found as Catalogue[A];
}

/** Loads what of these areas is not there yet. Rejects where it cannot be loaded. */
export async function prepare(areas: readonly Area[]): Promise<void> {
  const { locale, texts } = spoken;
  const missing = areas.filter((area) => texts[area] === undefined);
  if (missing.length === 0) return;
  const loaded = await textsOf(locale, missing);
  // Another language was chosen meanwhile: in that one they are missing, too.
  if (spoken.locale === locale) spoken = { locale, texts: { ...spoken.texts, ...loaded } };
  else await prepare(areas);
}

/** Speaks another language from now on, once all that is on the page is there in it. */
export async function speak(chosen: Locale): Promise<void> {
  settings.locale = chosen;
  const loaded = await textsOf(chosen, Object.keys(spoken.texts) as Area[]);
  if (settings.locale === chosen) spoken = { locale: chosen, texts: loaded };
  await prepare(Object.keys(spoken.texts) as Area[]);
}

/** Keeps the document's own language true: what reads it aloud depends on it. */
export function followLocale(): void {
  document.documentElement.lang = spoken.locale;
}

async function textsOf(of: Locale, areas: readonly Area[]): Promise<Texts> {
  const loaded = await Promise.all(
    areas.map(async (area) => {
      const load = FILES[`../locale/${of}/${area}.ts`];
      if (load === undefined) throw new Error(`there are no texts of ${area} in ${of}`);
      return [area, (await load()).default] as const;
    }),
  );
  return Object.fromEntries(loaded);
}

/** The language chosen by hand, or else the first of the browser's that is there. */
function wanted(): Locale {
  const isThere = (tag: string): tag is Locale => Object.hasOwn(LOCALES, tag);
  if (settings.locale !== null) return settings.locale;
  const listed = typeof navigator === 'undefined' ? [] : (navigator.languages ?? []);
  return listed.map((tag) => tag.split('-')[0]?.toLowerCase() ?? '').find(isThere) ?? 'en';
}
