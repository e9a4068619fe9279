// Chromium for the tests, and what every page of it is held to: no error, no broken policy, no serious barrier.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, type Page, chromium } from 'playwright-core';
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

/** A browser with a fresh profile. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
}

/** One visitor with a profile of their own; errors of the page fail the test through `expectNoErrors`. */
export async function visitor(browser: Browser, viewport: { width: number; height: number }): Promise<Page> {
  const isPhone = viewport.width < 800;
  const context = await browser.newContext({ viewport, hasTouch: isPhone, isMobile: isPhone });
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

/** The page has thrown nothing and said no error; `expected` are those that the test provokes. */
export function expectNoErrors(page: Page, expected: RegExp = /^$/): void {
  expect(ERRORS.get(page)?.filter((error) => !expected.test(error))).toEqual([]);
}

/** A screenshot to look at, of a page that is no wider than its screen. */
export async function shoot(page: Page, name: string): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(over, `${name}: pixels beyond the right edge`).toBeLessThanOrEqual(0);
  mkdirSync(SHOTS, { recursive: true });
  const size = page.viewportSize();
  await page.screenshot({ path: join(SHOTS, `${name}-${size?.width}x${size?.height}.png`) });
}

/** No barrier of any weight for people who cannot see, point or tell colours apart, as far as axe can tell. */
export async function expectAccessible(page: Page): Promise<void> {
  // Run over the debugger, which the page's content security policy does not concern.
  await page.evaluate(axe.source);
  const results = await page.evaluate<AxeResults>('axe.run()');
  const found = results.violations.map(({ id, impact, nodes }) => `${impact}: ${id}: ${nodes[0]?.html}`);
  expect(found).toEqual([]);
}
