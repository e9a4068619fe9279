// Runs Lighthouse on five addresses of a server of its own and prints a table; see scripts/lighthouse.

import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** Fetched when it is needed: it is far larger than everything else together. */
const LIGHTHOUSE = 'lighthouse@12.8.2';
const SCORE_MIN = 95;
const PAINT_MS_MAX = 1_500;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const CHROMIUM_FLAGS = '--headless=new --no-sandbox --disable-gpu --disable-background-networking --disable-component-update';

const folder = mkdtempSync(join(tmpdir(), 'sprint-lighthouse-'));
const flags = ['serve', '--listen', '127.0.0.1:0', '--database', `sqlite://${join(folder, 'sprint.sqlite')}`];
const server = spawn(process.env.SPRINT_SERVER, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const url = await addressOf(server);
  const rows = [];
  for (const path of ['/', await lobby(url), '/campaign', '/leaderboard', '/rules']) rows.push(await measured(url, path));
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

function holds({ scores, paints }) {
  return scores.every((score) => score >= SCORE_MIN) && paints[0] <= PAINT_MS_MAX;
}

function print(rows) {
  console.log(['address', ...CATEGORIES, 'first paint ms', 'largest paint ms', 'blocked ms'].join('\t'));
  for (const row of rows) {
    console.log([row.path, ...row.scores, ...row.paints].join('\t'));
    for (const said of row.said) console.log(`\t${said}`);
  }
  console.log(rows.every(holds) ? 'holds' : `does not hold: ${SCORE_MIN} everywhere, and ${PAINT_MS_MAX} ms to the first paint`);
}
