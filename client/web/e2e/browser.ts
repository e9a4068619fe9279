// Chromium for the tests, and what every page of it is held to: no error, no broken policy, no serious barrier.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core';
import { expect } from 'vitest';

/** Where screenshots go: a folder that is not committed. */
const SHOTS = join(import.meta.dirname, '..', 'shots');

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The two screens that the page must look right on. */
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };
/** A page fits on this one as well. */
const SMALL_PHONE = { width: 360, height: 740 };
/** The least that a finger hits and an eye reads. */
const TARGET_PX = 44;
const TEXT_PX = 12;

/** What players of the tests are called. */
const NAMES = '\\b(Technomancer |Amazing |Ghost of )?(Ada|Bo|Carol|Cy|Eve|Grace|Ida|Lin|Lucas|Mary|Ruth|Tom|Hedy( Lamarr)?|Quiet Compass \\d+|Automaton)( \\d+)?\\b';

/** A browser with a fresh profile. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
}

/** One visitor with a profile of their own; errors of the page fail the test through `expectNoErrors`. */
export async function visitor(
  browser: Browser,
  viewport: { width: number; height: number },
  more: BrowserContextOptions = {},
): Promise<Page> {
  const isPhone = viewport.width < 800;
  const context = await browser.newContext({ viewport, hasTouch: isPhone, isMobile: isPhone, ...more });
  const page = await context.newPage();
  const errors: string[] = [];
  ERRORS.set(page, errors);
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return page;
}

const ERRORS = new WeakMap<Page, string[]>();

/** What the browser says while it has no network. */
export const NO_NETWORK = /ERR_INTERNET_DISCONNECTED|Failed to fetch|Failed to load resource/;

/** Waits until the worker runs this page and has kept what it opens without a network. */
export async function waitForWorker(page: Page): Promise<void> {
  const isThere = async (): Promise<boolean> => {
    const documents = await caches.open('sprint-documents-1');
    return navigator.serviceWorker.controller?.state === 'activated' && (await documents.keys()).length === 2;
  };
  await expect.poll(() => page.evaluate(isThere), { timeout: 60_000 }).toBe(true);
}

/** The page has thrown nothing and said no error; `expected` are those that the test provokes. */
export function expectNoErrors(page: Page, expected: RegExp = /^$/): void {
  expect(ERRORS.get(page)?.filter((error) => !expected.test(error))).toEqual([]);
}

/** What was copied last, as it comes out where it is pasted: no page may read the clipboard by itself. */
export async function pasted(page: Page): Promise<string> {
  await page.evaluate(() => {
    const field = document.createElement('textarea');
    field.id = 'pasted';
    document.body.append(field);
    field.focus();
  });
  await page.keyboard.press('Control+V');
  return page.locator('#pasted').evaluate((field) => {
    field.remove();
    return (field as HTMLTextAreaElement).value;
  });
}

/** A screenshot to look at, of a page that is no wider than its screen, nor than a phone, whatever its players are called. */
export async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  const size = page.viewportSize();
  await page.screenshot({ path: join(SHOTS, `${name}-${size?.width}x${size?.height}.png`) });
  await expectToFit(page, name);
  await expectNamesToFit(page, name);
  if (size === null || size.width <= PHONE.width) return;
  await page.setViewportSize(PHONE);
  await expectToFit(page, `${name} on a phone`);
  await expectNamesToFit(page, `${name} on a phone`);
  await page.setViewportSize(size);
}

/** No barrier of any weight for people who cannot see, point or tell colours apart, as far as axe can tell. */
export async function expectAccessible(page: Page): Promise<void> {
  // Run over the debugger, which the page's content security policy does not concern.
  await page.evaluate(axe.source);
  const results = await page.evaluate<AxeResults>('axe.run()');
  const found = results.violations.map(({ id, impact, nodes }) => `${impact}: ${id}: ${nodes[0]?.html}`);
  expect(found).toEqual([]);
  const screen = page.viewportSize();
  if (screen === null || screen.width >= 800) return;
  await page.setViewportSize(SMALL_PHONE);
  await expectToFit(page, 'on a small phone');
  await expectTouchable(page);
  await page.setViewportSize(screen);
}

/** The page is no wider than its screen. */
export async function expectToFit(page: Page, name: string): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(over, `${name}: pixels beyond the right edge`).toBeLessThanOrEqual(0);
}

/** The same with the widest name that somebody may have in the place of every player's. */
async function expectNamesToFit(page: Page, name: string): Promise<void> {
  const over = await page.evaluate(
    ([names, widest]) => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const before: [Node, string | null][] = [];
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) before.push([text, text.nodeValue]);
      const { scrollWidth, clientWidth } = document.documentElement;
      for (const [text, value] of before) {
        const renamed = value?.replace(new RegExp(names, 'g'), widest) ?? null;
        if (renamed !== value) text.nodeValue = renamed;
      }
      const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
      const named = before.filter(([text, value]) => text.nodeValue !== value).map(([text]) => text.parentElement?.outerHTML.slice(0, 120));
      for (const [text, value] of before) if (text.nodeValue !== value) text.nodeValue = value;
      return over <= scrollWidth - clientWidth ? [] : named;
    },
    [NAMES, 'W'.repeat(20)] as const,
  );
  expect(over, `${name}: beyond the right edge with wide names`).toEqual([]);
}

/**
 * Everything that a finger aims at is large enough, and every text can be read. Links and buttons inside a text are part
 * of it.
 */
async function expectTouchable(page: Page): Promise<void> {
  const found = await page.evaluate(
    ([target, text]) => {
      const isSeen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true }) && element.closest('.visually-hidden, [inert]') === null;
      const name = (element: Element): string => element.outerHTML.replace(/\s+/g, ' ').slice(0, 90);
      const isText = (element: Element): boolean => element.matches('a, button') && /^inline(-block)?$/.test(getComputedStyle(element).display);
      const small = [...document.querySelectorAll('button, summary, select, input, a, [role="slider"]')].filter((element) => {
        // A box to tick is pressed by its label.
        const aim = element.closest('label') ?? element;
        const { width, height } = aim.getBoundingClientRect();
        return isSeen(aim) && !isText(aim) && (width < target || height < target);
      });
      const tiny = [...document.querySelectorAll('body *')].filter((element) => {
        const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
        return hasText && element.closest('svg') === null && isSeen(element) && parseFloat(getComputedStyle(element).fontSize) < text;
      });
      return { small: small.map(name), tiny: tiny.map(name) };
    },
    [TARGET_PX, TEXT_PX] as const,
  );
  expect(found).toEqual({ small: [], tiny: [] });
}
