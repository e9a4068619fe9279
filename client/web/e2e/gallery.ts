// What the gallery stands on: a server, puppets, visitors, and how a screen is shown: held to axe in both lights and on
// both screens, and photographed where SHOTS=1 asks for it.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { expectNoErrors, startBrowser, visitor } from './browser';
import { Puppet, Troupe } from './puppets';
import { type Server, startServer } from './server';

const isShooting = process.env.SHOTS === '1';
/** Where photographs go: a folder that is not committed. */
const SHOTS = join(import.meta.dirname, '..', 'shots');

const DESKTOP = { width: 1440, height: 900 };
const TABLET = { width: 820, height: 1180 };
const PHONE = { width: 390, height: 844 };
/** The narrowest phone that the page is made for. */
const NARROW = { width: 360, height: 740 };
/** A photograph ends there: so many screens. */
const SCREENS_MOST = 4;

/** The languages in which the gallery is gone through: photographs are taken in both. */
export const LANGUAGES = isShooting ? (['en', 'de'] as const) : (['en'] as const);
export type Language = (typeof LANGUAGES)[number];

/** A server with its puppets, and visitors who are gone after each test. */
export interface Gallery {
  readonly server: Server;
  readonly troupe: Troupe;
  /** Somebody with a browser of their own: as that player, or as nobody. */
  visitor: (as?: Puppet) => Promise<Page>;
  /** Goes there, waits for that element, and shows the screen. */
  visit: (page: Page, path: string, there: string, name: string) => Promise<void>;
  /** Shows the screen as it stands. */
  show: (page: Page, name: string) => Promise<void>;
}

/** Sets up a gallery for the tests of this block; the server gets more flags. */
export function gallery(language: Language, flags: readonly string[] = []): Gallery {
  let server: Server;
  let browser: Browser;
  let troupe: Troupe;
  const pages: Page[] = [];

  // A bound for what hangs: on a machine that is busy the fifty boards of the almanac alone take minutes.
  vi.setConfig({ testTimeout: 900_000 });

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(flags), startBrowser()]);
    troupe = await Troupe.gather(browser, server.url);
  });

  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.context().close()));
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const show = (page: Page, name: string): Promise<void> => (isShooting ? photograph(page, name, language) : examine(page, name));
  return {
    get server() {
      return server;
    },
    get troupe() {
      return troupe;
    },
    visitor: async (as) => {
      const page = await visitor(browser, DESKTOP, { locale: language === 'de' ? 'de-DE' : 'en-GB' });
      pages.push(page);
      if (as !== undefined) {
        await page.addInitScript((text) => localStorage.setItem('sprint.player', text), JSON.stringify(as.player));
      }
      return page;
    },
    visit: async (page, path, there, name) => {
      await page.goto(`${server.url}${path}`);
      await page.locator(there).first().waitFor({ state: 'attached' });
      await show(page, name);
    },
    show,
  };
}

/** Both lights on both screens without a violation of any weight, moving on the large one and calm on the small one. */
async function examine(page: Page, name: string): Promise<void> {
  for (const [screen, reducedMotion] of [[DESKTOP, 'no-preference'], [PHONE, 'reduce']] as const) {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion });
      await settle(page, screen);
      const found = await violations(page, colorScheme === 'dark' ? ALL_RULES : COLOUR_RULES);
      expect.soft(found, `${name}, ${colorScheme}, ${screen.width} wide`).toEqual([]);
    }
  }
  await settle(page, NARROW);
  expect.soft(await page.evaluate(beyond), `${name}: beyond the right edge of ${NARROW.width} pixels`).toEqual([]);
  await settle(page, DESKTOP);
  expectNoErrors(page, EXPECTED);
}

/** What a browser says by itself of an answer that a scene asks for, and of a line that a scene cuts. */
const EXPECTED = /the server responded with a status of (401|403|404|409)|ERR_INTERNET_DISCONNECTED/;

/** What makes the page wider than its screen. */
function beyond(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const all = [...document.querySelectorAll('body *:not(svg *)')];
  const wide = all.filter((element) => element.getBoundingClientRect().right > clientWidth);
  return [`${scrollWidth} pixels`, ...wide.map((element) => element.outerHTML.replace(/\s+/g, ' ').slice(0, 80))];
}

/** All that axe knows; and what of it depends on the light. What lies before a pseudo-element is looked at as well. */
const ALL_RULES = {};
const COLOUR_RULES = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };
const CONTRAST = {
  ignoreUnicode: true,
  ignoreLength: false,
  ignorePseudo: true,
  boldValue: 700,
  boldTextPt: 14,
  largeTextPt: 18,
  contrastRatio: { normal: { expected: 4.5 }, large: { expected: 3 } },
  pseudoSizeThreshold: 0.25,
};
const LOOK_CLOSELY = `axe.configure(${JSON.stringify({ checks: [{ id: 'color-contrast', options: CONTRAST }] })})`;

async function violations(page: Page, rules: object): Promise<string[]> {
  // Over the debugger, which the page's content security policy does not concern.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${axe.source}; ${LOOK_CLOSELY}`);
  await page.evaluate(flatten);
  const found = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify({ ...rules, resultTypes: ['violations'] })})`);
  await page.evaluate(() => (window as unknown as Flat).restore());
  return found.violations.map(({ id, impact, nodes }) => `${impact}: ${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ''}`).join(' | ')}`);
}

type Flat = Window & { restore: () => void };

/**
 * Paints plain what has a gradient, in the colour that it ends in, or in the one behind it where it ends clear: axe does
 * not judge a text before a gradient.
 */
function flatten(): void {
  const painted: HTMLElement[] = [];
  // Inherited by all: without it the browser takes some styles from before the light was changed.
  document.documentElement.style.setProperty('--reckoned', String(Math.random()));
  const properties = ['transition', 'background-image', 'background-color'];
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const { backgroundImage, backgroundColor } = getComputedStyle(element);
    const last = backgroundImage.split('gradient(').slice(1).at(-1);
    if (last === undefined) continue;
    const end = last.match(/(?:rgba?|color|oklch|oklab)\([^()]*\)/g)?.at(-1) ?? backgroundColor;
    const isClear = end.startsWith('rgba') || end.includes('/');
    painted.push(element);
    const values = ['none', 'none', isClear ? backgroundColor : end];
    for (const [index, value] of values.entries()) element.style.setProperty(properties[index] ?? '', value, 'important');
  }
  (window as unknown as Flat).restore = () => {
    for (const element of painted) for (const property of properties) element.style.removeProperty(property);
  };
}

/** On that screen, with all that moves come to its end and nothing left to draw. */
async function settle(page: Page, screen: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(screen);
  await page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    await document.fonts.ready;
    await frame();
    for (const animation of document.getAnimations()) {
      const isEndless = animation.effect?.getComputedTiming().endTime === Infinity;
      if (!isEndless && animation.playState === 'running') animation.finish();
    }
    await frame();
  });
}

/** Each screen in each light, whole as far as it is no longer than a few screens; in German the ends of the range alone. */
async function photograph(page: Page, name: string, language: Language): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  for (const screen of [DESKTOP, TABLET, PHONE]) {
    for (const colorScheme of ['dark', 'light'] as const) {
      if (language === 'de' && (screen === TABLET || (screen === PHONE) !== (colorScheme === 'light'))) continue;
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settle(page, screen);
      await shootWhole(page, `${name}.${language}.${screen.width}.${colorScheme}`);
    }
  }
  await settle(page, DESKTOP);
}

/** The screen to its end, or as far as a photograph goes: on a device as tall as that, for a camera alone does not lay out anew. */
async function shootWhole(page: Page, name: string): Promise<void> {
  const { width, height } = page.viewportSize() ?? DESKTOP;
  const end = await page.evaluate(() => document.documentElement.scrollHeight);
  if (end > height) await settle(page, { width, height: Math.min(end, SCREENS_MOST * height) });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** The kinds of colour vision that a browser can show. */
const VISIONS = ['protanopia', 'deuteranopia', 'tritanopia'] as const;

/** The screen as people see it who tell colours apart otherwise: to be looked at, so only where photographs are asked for. */
export async function showVisions(page: Page, name: string): Promise<void> {
  if (!isShooting) return;
  const debug = await page.context().newCDPSession(page);
  for (const type of VISIONS) {
    await debug.send('Emulation.setEmulatedVisionDeficiency', { type });
    await settle(page, DESKTOP);
    await shootWhole(page, `${name}-${type}`);
  }
  await debug.send('Emulation.setEmulatedVisionDeficiency', { type: 'none' });
}
