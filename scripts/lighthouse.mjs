// Runs Lighthouse on five addresses of a server of its own and prints a table; see scripts/lighthouse.

import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const { chromium } = createRequire(new URL('../client/web/package.json', import.meta.url))('playwright-core');

/** Fetched when it is needed: it is far larger than everything else together. */
const LIGHTHOUSE = 'lighthouse@12.8.2';
const SCORE_MIN = 95;
const PAINT_MS_MAX = 1_500;
/** Slow 4G: round trips in milliseconds, bytes a second. */
const SLOW_LINE = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const CHROMIUM_FLAGS = '--headless=new --no-sandbox --disable-gpu --disable-background-networking --disable-component-update';

const folder = mkdtempSync(join(tmpdir(), 'sprint-lighthouse-'));
const flags = ['serve', '--listen', '127.0.0.1:0', '--database', `sqlite://${join(folder, 'sprint.sqlite')}`];
const server = spawn(process.env.SPRINT_SERVER, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const url = await addressOf(server);
  const rows = [];
  for (const path of ['/', await lobby(url), '/campaign', '/leaderboard', '/rules']) rows.push(await measured(url, path));
  await addPaints(url, rows);
  print(rows);
  process.exitCode = rows.every(holds) ? 0 : 1;
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

function addressOf(child) {
  return new Promise((found, failed) => {
    child.once('exit', (code) => failed(new Error(`the server ended with ${code} before it listened`)));
    createInterface(child.stdout).once('line', (line) => found(line.replace('listening on ', '')));
  });
}

/** The address of an open room. */
async function lobby(url) {
  const { token } = await (await fetch(`${url}/api/v1/players`, { method: 'POST' })).json();
  const headers = { authorization: `Bearer ${token}` };
  const { code } = await (await fetch(`${url}/api/v1/rooms`, { method: 'POST', headers })).json();
  return `/r/${code}`;
}

/** Its scores, the instant of its first paint, and what costs it points. */
async function measured(url, path) {
  const file = join(folder, 'report.json');
  const args = ['--yes', LIGHTHOUSE, `${url}${path}`, '--quiet', '--output=json', `--output-path=${file}`];
  args.push(`--chrome-flags=${CHROMIUM_FLAGS}`, `--only-categories=${CATEGORIES.join(',')}`);
  const env = { ...process.env, CHROME_PATH: process.env.CHROMIUM ?? '/usr/bin/chromium' };
  await promisify(execFile)('npx', args, { env, cwd: folder, maxBuffer: 1 << 26 });
  const { categories, audits } = JSON.parse(readFileSync(file, 'utf8'));
  const scores = CATEGORIES.map((name) => Math.round(100 * categories[name].score));
  const refs = CATEGORIES.flatMap((name) => categories[name].auditRefs);
  const lacking = refs.filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.9);
  const said = lacking.map(({ id }) => `${id}${audits[id].displayValue ? ` ${audits[id].displayValue}` : ''}`);
  const millis = (id) => Math.round(audits[id].numericValue);
  const paints = [millis('first-contentful-paint'), millis('largest-contentful-paint'), millis('total-blocking-time')];
  return { path, scores, paints, said: [...new Set(said)] };
}

/** Adds what a browser itself says on the line that Lighthouse reckons with: the first paint, and when the page stands. */
async function addPaints(url, rows) {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS.split(' ') });
  for (const row of rows) {
    const page = await browser.newPage({ viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true });
    const line = await page.context().newCDPSession(page);
    await line.send('Network.enable');
    await line.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_LINE });
    await page.addInitScript(() => {
      new MutationObserver((_, seen) => {
        if (document.querySelector('main') === null) return;
        seen.disconnect();
        // Two frames on, it is painted.
        requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('stands')));
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${url}${row.path}`);
    await page.waitForFunction(() => performance.getEntriesByName('stands').length > 0);
    const at = (name) => page.evaluate((name) => Math.round(performance.getEntriesByName(name)[0]?.startTime), name);
    row.paints.push(await at('first-contentful-paint'), await at('stands'));
    await page.context().close();
  }
  await browser.close();
}

function holds({ scores, paints }) {
  const [first, , , , stands] = paints;
  return scores.every((score) => score >= SCORE_MIN) && Math.max(first, stands) <= PAINT_MS_MAX;
}

function print(rows) {
  console.log(['address', ...CATEGORIES, 'first paint ms', 'largest paint ms', 'blocked ms', 'painted on such a line ms', 'stands on it ms'].join('\t'));
  for (const row of rows) {
    console.log([row.path, ...row.scores, ...row.paints].join('\t'));
    for (const said of row.said) console.log(`\t${said}`);
  }
  console.log(rows.every(holds) ? 'holds' : `does not hold: ${SCORE_MIN} everywhere, and ${PAINT_MS_MAX} ms until the page stands`);
}
