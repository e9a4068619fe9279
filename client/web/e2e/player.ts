// A player in a browser: does what a person does, by keyboard or by taps, and reads what a screen reader hears.

import type { Page } from 'playwright-core';
import { type Board, SPECTRA, SPECTRUM_NAMES, type Disk } from '../src/lib/board';
import type { Transfer } from './solve';

/** How a player touches pegs. */
export type Touch = (page: Page, peg: number) => Promise<void>;

/** A number key for each peg. */
export const byKeyboard: Touch = (page, peg) => page.keyboard.press(String(peg));

/** A finger on the middle of the peg's column. */
export const byTaps: Touch = async (page, peg) => {
  const { x, y } = await middleOf(page, peg);
  await page.touchscreen.tap(x, y);
};

/** The middle of a peg's column. */
export async function middleOf(page: Page, peg: number): Promise<{ x: number; y: number }> {
  const box = await page.locator(`[data-peg="${peg}"]`).boundingBox();
  if (box === null) throw new Error(`peg ${peg} is not on the page`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Makes transfers one after the other, and waits until the tracker has counted them. */
export async function play(page: Page, line: readonly Transfer[], touch: Touch): Promise<void> {
  const before = await movesOf(page);
  for (const [from, to] of line) {
    await touch(page, from);
    await touch(page, to);
  }
  await waitForMoves(page, before + line.length);
}

/** The tracker's count of moves. */
export async function movesOf(page: Page): Promise<number> {
  return Number(await page.locator('[data-moves]').textContent());
}

/** Waits until the tracker shows that many moves, or the race has gone on to its result. */
export async function waitForMoves(page: Page, moves: number): Promise<void> {
  await page.waitForFunction((wanted) => {
    const shown = document.querySelector('[data-moves]');
    return shown === null ? document.querySelector('.result') !== null : shown.textContent === String(wanted);
  }, moves);
}

/** What each peg says of itself. */
export function pegLabels(page: Page): Promise<string[]> {
  return page.locator('[data-peg]').evaluateAll((pegs) => pegs.map((peg) => peg.getAttribute('aria-label') ?? ''));
}

/** The board as the pegs' labels tell it, from the top down. Boards without rings and homes only. */
export async function readBoard(page: Page): Promise<Board> {
  const labels = await pegLabels(page);
  const pegs = labels.map((label) => {
    const names = [...label.matchAll(/(Ruby|Sapphire|Emerald|Amber|Violet) ([1-7])/g)];
    const disks = names.map(([, name, size]) => {
      const spectrum = SPECTRA.find((letter) => SPECTRUM_NAMES[letter] === name);
      return `${spectrum}${size}` as Disk;
    });
    return disks.reverse();
  });
  return { pegs, capacities: pegs.map(() => 7), rings: [], homes: {} };
}

/** Takes a name on the page that asks for one. */
export async function takeName(page: Page, name: string, action: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: action }).click();
}

/** Presses Tab until that element has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.closest('label')?.textContent?.trim() ?? element?.textContent?.trim() ?? '';
    });
    if (found.startsWith(name)) return;
  }
  throw new Error(`no way to ${name} by Tab`);
}

/** Waits for a race to be on. */
export async function waitForRace(page: Page): Promise<void> {
  await page.locator('[data-peg="1"]').waitFor();
}

/** The race clock on the page, in tenths of a second. */
export async function clockOf(page: Page): Promise<number> {
  const [minutes = 0, seconds = 0] = ((await page.locator('[data-clock]').textContent()) ?? '').split(':').map(Number);
  return Math.round((minutes * 60 + seconds) * 10);
}

/** Waits until the page has nothing to say of its connection: it is there, and the server has said welcome. */
export async function waitForConnection(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[role="status"]')?.textContent?.trim() === '');
}
