// From a key or a finger to the lift that somebody sees, in a room of four of whom each acts eight times a second. The
// reckoning is beside that of a bare page in the same browser, which does nothing but show one element: that page is what
// the machine can do. A frame is 16.7 ms.

import type { Browser, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startBrowser, visitor } from '../e2e/browser';
import { type Puppet, Troupe } from '../e2e/puppets';
import { startServer } from '../e2e/server';

/** Five towers of seven, two tops swapped: 35 disks, and room to carry one of them to and fro. */
const BOARD = 'R7R6R5R4R3R2S1/S7S6S5S4S3S2R1/E7E6E5E4E3E2E1/A7A6A5A4A3A2A1/V7V6V5V4V3V2V1/-/-/-/- 7';
const EVERY_MS = 125;
const LIFTS = Number(process.env.BENCH_LIFTS ?? 60);
const FRAME_MS = 1000 / 60;

/** What one input came to: when its frame was done, and whether that first frame showed it. */
interface Answer {
  ms: number;
  isFirst: boolean;
}

type Watched = Window & { answers: Answer[]; isShown: () => boolean };

/** Watches trusted input: from its own time stamp to the end of the first frame after it. */
function watch(events: string[]): void {
  const page = window as unknown as Watched;
  page.answers = [];
  for (const name of events) {
    addEventListener(
      name,
      (event) => {
        if (!event.isTrusted || page.isShown()) return;
        requestAnimationFrame(() => {
          const isFirst = page.isShown();
          // A message comes after the frame has been painted.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => {
            page.answers.push({ ms: performance.now() - event.timeStamp, isFirst });
            port1.close();
          };
          port2.postMessage(null);
        });
      },
      true,
    );
  }
}

function sayAnswers(name: string, answers: readonly Answer[]): { p50: number; p95: number } {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  const figures = { p50: at(0.5), p95: at(0.95), most: sorted.at(-1) ?? NaN };
  const text = Object.entries(figures).map(([name, ms]) => `${name} ${ms.toFixed(1)} ms (${(ms / FRAME_MS).toFixed(2)} frames)`);
  const late = answers.filter(({ isFirst }) => !isFirst).length;
  console.log(`${name}: ${text.join(', ')}; ${answers.length} inputs, ${late} not shown in the first frame`);
  return figures;
}

const answersOf = (page: Page): Promise<Answer[]> => page.evaluate(() => (window as unknown as Watched).answers.splice(0));

/** Does something again and again, each time that it is due. */
async function paced(times: number, act: (turn: number) => Promise<void>): Promise<void> {
  const begun = performance.now();
  for (let turn = 0; turn < times; turn += 1) {
    await new Promise((due) => setTimeout(due, begun + turn * EVERY_MS - performance.now()));
    await act(turn);
  }
}

/** Carries the disk on peg 1 to an empty peg, and on between two of them, an act a turn, until told to stop. */
async function keepAtWork(puppet: Puppet, isOver: () => boolean): Promise<void> {
  let [from, to] = [1, 6];
  while (!isOver()) {
    await paced(2, (turn) => puppet.act(turn === 0 ? { type: 'lift', peg: from } : { type: 'place', peg: to }));
    [from, to] = [to, to === 6 ? 7 : 6];
    await new Promise((due) => setTimeout(due, EVERY_MS));
  }
}

/** A page that shows one element on a key or a finger, and hides it on the next. */
async function measureBare(page: Page): Promise<Answer[]> {
  await page.bringToFront();
  await page.evaluate(() => {
    document.body.innerHTML = '<div style="position:fixed;inset:0"><p id="it" hidden>up</p></div>';
    const shown = document.querySelector<HTMLElement>('#it');
    (window as unknown as Watched).isShown = () => shown?.hidden === false;
    const toggle = (): void => void (shown !== null && (shown.hidden = !shown.hidden));
    addEventListener('keydown', toggle);
    addEventListener('pointerdown', toggle);
  });
  await page.evaluate(watch, ['keydown', 'pointerdown']);
  await paced(2 * LIFTS, (turn) => (turn % 4 < 2 ? page.keyboard.press('1') : page.mouse.click(200, 200)));
  return answersOf(page);
}

async function measureRace(page: Page): Promise<Answer[]> {
  await page.bringToFront();
  await page.evaluate(() => {
    (window as unknown as Watched).isShown = () => document.querySelector('.board .disk.lifted') !== null;
  });
  await page.evaluate(watch, ['keydown', 'pointerdown']);
  const middles = await page.locator('[data-peg]').evaluateAll((pegs) =>
    pegs.map((peg) => {
      const box = peg.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2] as const;
    }),
  );
  let [from, to] = [1, 6];
  await paced(2 * LIFTS, async (turn) => {
    const peg = turn % 2 === 0 ? from : to;
    const [x, y] = middles[peg - 1] ?? [0, 0];
    await (turn % 4 < 2 ? page.keyboard.press(String(peg)) : page.mouse.click(x, y));
    if (turn % 2 === 1) [from, to] = [to, to === 6 ? 7 : 6];
  });
  return answersOf(page);
}

/** Somebody at a page, in a race against three puppets. */
async function raceOfFour(browser: Browser, url: string): Promise<{ page: Page; puppets: Puppet[] }> {
  const troupe = await Troupe.gather(browser, url);
  const [host, ...puppets] = await Promise.all(['Ada', 'Bo', 'Cy', 'Eve'].map((name) => troupe.player(name)));
  if (host === undefined) throw new Error('nobody to open a room');
  const page = await visitor(browser, { width: 1440, height: 900 });
  await page.goto(url);
  await page.evaluate((player) => localStorage.setItem('sprint.player', JSON.stringify(player)), host.player);
  const { code } = await troupe.ask<{ code: string }>('/rooms', host.token, { seats: 4, blueprint: BOARD });
  await page.goto(`${url}/r/${code}`);
  for (const puppet of puppets) await puppet.sit(code);
  await Promise.all(puppets.map((puppet) => puppet.ready()));
  await page.getByRole('button', { name: 'I am ready' }).click();
  await page.locator('[data-peg="1"]').waitFor();
  return { page, puppets };
}

it('a lift is seen in the first frame after the input, with four players at eight acts a second', async () => {
  const server = await startServer();
  const browser = await startBrowser();
  try {
    const bare = await visitor(browser, { width: 1440, height: 900 });
    const { page, puppets } = await raceOfFour(browser, server.url);
    let isOver = false;
    const work = puppets.map((puppet) => keepAtWork(puppet, () => isOver));
    const before = await measureBare(bare);
    const race = await measureRace(page);
    await bare.reload();
    const after = await measureBare(bare);
    isOver = true;
    await Promise.all(work);
    const ours = sayAnswers('input to visible lift', race);
    const least = sayAnswers('a bare page in the same run', [...before, ...after]);
    console.log(`ratio to the bare page: p50 ${(ours.p50 / least.p50).toFixed(2)}, p95 ${(ours.p95 / least.p95).toFixed(2)}`);
    expect(race.length, 'lifts that were measured').toBeGreaterThan(LIFTS * 0.8);
    expect(race.filter(({ isFirst }) => !isFirst), 'lifts that the first frame did not show').toEqual([]);
  } finally {
    await browser.close();
    await server.stop();
  }
});
