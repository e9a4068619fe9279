// The page as something that is installed: it opens without a network, and a new version of it or of its worker disturbs no
// race.

import { cpSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { DESKTOP, NO_NETWORK, PHONE, expectNoErrors, waitForWorker } from './browser';
import { getReady, openRoom } from './opened';
import { byKeyboard, movesOf, play, readBoard, waitForConnection, waitForRace } from './player';
import { stage } from './stage';
import { solve } from './solve';

/** The page that is built in, in a folder of its own, to be replaced by a newer one. */
const folder = mkdtempSync(join(tmpdir(), 'sprint-page-'));
cpSync(process.env.SPRINT_PAGE_DIR ?? join(import.meta.dirname, '../dist'), folder, { recursive: true });

const on = stage(['--page-dir', folder]);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How long a condition may take to come true. */
const WITHIN = { timeout: 20_000 };

/** Makes a newer version of the page in place of the older: every asset has another name, and the worker other bytes. */
function renew(version: string): void {
  const assets = join(folder, 'assets');
  const names = readdirSync(assets).map((name) => [name, name.replace(/(\.\w+)$/, `${version}$1`)] as const);
  for (const [name, renamed] of names) renameSync(join(assets, name), join(assets, renamed));
  const files = ['index.html', '.vite/preloads.json', ...names.map(([, name]) => `assets/${name}`)];
  for (const file of files.filter((file) => /\.(html|json|js|css)$/.test(file))) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(join(folder, file), names.reduce((text, [name, renamed]) => text.replaceAll(name, renamed), text));
  }
  const worker = join(folder, 'sw.js');
  writeFileSync(worker, `${readFileSync(worker, 'utf8')}// ${version}\n`);
}

/** The script that begins the page in this window, and the builds of which something is kept. */
async function builds(page: Page): Promise<{ shown: string; kept: string[] }> {
  return page.evaluate(async () => {
    const shown = document.querySelector('script[type="module"]')?.getAttribute('src') ?? '';
    const kept = (await caches.keys()).filter((name) => name.startsWith('sprint-assets-1:'));
    return { shown, kept: kept.map((name) => name.replace('sprint-assets-1:', '')).sort() };
  });
}

/** Waits until the page has loaded what it shows after a race, and what it says there. */
async function waitForResultParts(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    return ['/assets/Result-', '/assets/result-'].every((part) => loaded.some((name) => name.includes(part)));
  });
}

/** Two people at the start of a race. */
async function race(): Promise<[ada: Page, lucas: Page]> {
  const [[ada], [lucas]] = await Promise.all([on.player(DESKTOP), on.player(PHONE)]);
  const code = await openRoom(ada);
  await Promise.all([ada, lucas].map((page) => page.goto(`${on.server.url}/r/${code}`)));
  await getReady(ada, lucas);
  return [ada, lucas];
}

it('the page that was opened once opens without a network', async () => {
  const page = await on.visitor(PHONE);
  await page.goto(on.server.url);
  await waitForWorker(page);
  await page.context().setOffline(true);
  await page.goto(on.server.url);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  expect(await page.title()).toBe('Technomancer Sprint');
  // At any other address there is the page, too, and it can say what is not there.
  await page.goto(`${on.server.url}/nowhere/at/all`);
  await page.waitForFunction(() => document.querySelector('#app')?.textContent?.trim() !== '');
  await page.context().setOffline(false);
  await page.goto(on.server.url);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  expectNoErrors(page, NO_NETWORK);
});

it('nothing that the API answers is kept', async () => {
  const page = await on.visitor(DESKTOP);
  await page.goto(on.server.url);
  await waitForWorker(page);
  await page.reload();
  await page.evaluate(async () => void (await (await fetch('/api/v1/presets')).json()));
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept.filter((path) => !path.startsWith('/assets/')).sort()).toEqual(['/', '/offline']);
  await page.context().setOffline(true);
  expect(await page.evaluate(() => fetch('/api/v1/presets').then(() => 'answered', () => 'no network'))).toBe('no network');
  expectNoErrors(page, NO_NETWORK);
});

it('a new version of page and worker leaves a race alone, and shows when somebody goes elsewhere', async () => {
  const [ada, lucas] = await race();
  await Promise.all([waitForWorker(ada), waitForWorker(lucas)]);
  const before = await builds(ada);
  await ada.evaluate(() => void Object.assign(window, { isTheSame: true }));
  const line = solve(await readBoard(ada));
  await play(ada, line.slice(0, 2), byKeyboard);

  // What comes after the race is loaded while it runs.
  await Promise.all([ada, lucas].map(waitForResultParts));
  renew('v2');
  await on.server.restart();
  await Promise.all([waitForRace(ada), waitForRace(lucas)]);
  await waitForConnection(ada);
  // The newer worker is found and installed, and waits.
  const waits = await ada.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const running = registration?.active;
    await registration?.update();
    const found = registration?.installing ?? registration?.waiting;
    while (found?.state === 'installing') await new Promise((done) => found.addEventListener('statechange', done, { once: true }));
    return found?.state === 'installed' && registration?.active === running && navigator.serviceWorker.controller === running;
  });
  expect(waits).toBe(true);
  expect(await movesOf(ada)).toBe(2);
  await play(ada, line.slice(2), byKeyboard);
  await Promise.all([ada, lucas].map((page) => page.locator('.result').waitFor()));
  expect(await ada.evaluate(() => 'isTheSame' in window)).toBe(true);
  expect((await builds(ada)).shown).toBe(before.shown);

  // Elsewhere there is the new page; what the old one has kept stays for as long as another window shows it.
  const second = await ada.context().newPage();
  await second.goto(on.server.url);
  await second.waitForFunction((old) => document.querySelector('script[type="module"]')?.getAttribute('src') !== old, before.shown);
  const after = (await builds(second)).shown;
  await expect.poll(async () => (await builds(second)).kept, WITHIN).toEqual([before.shown, after].sort());
  await ada.close();
  await second.reload();
  await expect.poll(() => builds(second), WITHIN).toEqual({ shown: after, kept: [after] });
  await second.context().setOffline(true);
  await second.reload();
  await second.getByRole('heading', { level: 1 }).first().waitFor();
  expectNoErrors(lucas, /WebSocket|Failed to load resource|ERR_CONNECTION/);
});
