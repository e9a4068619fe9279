// A whole match without a pointer: from the start page over a lobby, two races and their results back to the start page.
// What is focused is seen at every stop and never lost, every peg says what it holds, and one live region says what happens.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type Board, topOf, withTransfer } from '../src/lib/board';
import { isHarmony } from '../src/lib/legality';
import { DESKTOP, expectNoErrors } from './browser';
import { pegLabels, readBoard, waitForMoves, waitForRace } from './player';
import { Troupe } from './puppets';
import { type Transfer, solve } from './solve';
import { stage } from './stage';

const on = stage();

/** What a page has been through: everything its live region said, every event of a pointer, what was copied last. */
type Witness = Window & { said: string[]; pointed: string[]; copied: string };

/** Begins to write down what the page goes through, from its next address on. */
async function witness(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const here = window as unknown as Witness;
    [here.said, here.pointed] = [[], []];
    let before = '';
    const listen = (): void => {
      const now = document.querySelector('[data-spoken]')?.textContent ?? '';
      if (now !== '' && now !== before) here.said.push(now);
      before = now;
    };
    new MutationObserver(listen).observe(document, { subtree: true, childList: true, characterData: true });
    for (const type of ['pointerdown', 'mousedown', 'touchstart']) addEventListener(type, () => here.pointed.push(type), { capture: true });
    const { clipboard } = navigator;
    const write = clipboard.writeText.bind(clipboard);
    clipboard.writeText = (text) => write((here.copied = text));
  });
}

/** What was said since the last time that it was asked, once the last of it is such a sentence. */
async function said(page: Page, last: RegExp): Promise<string[]> {
  await page.waitForFunction((last) => new RegExp(last).test((window as unknown as Witness).said.at(-1) ?? ''), last.source);
  return page.evaluate(() => (window as unknown as Witness).said.splice(0));
}

/** What has the focus: its name as it is spoken, and whether those who see the page see it. */
async function focused(page: Page): Promise<{ name: string; tag: string; isSeen: boolean }> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement & { labels?: NodeListOf<HTMLLabelElement> };
    const label = element.labels?.[0];
    const isOutlined = (of: Element | null | undefined): boolean => {
      if (of == null) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(of);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    };
    // A choice that is drawn by its label is outlined there.
    const isSeen = [element, label, element.nextElementSibling, element.parentElement].some(isOutlined);
    const name = element.getAttribute('aria-label') ?? label?.textContent ?? element.textContent ?? '';
    return { name: name.replace(/\s+/g, ' ').trim(), tag: element.tagName, isSeen };
  });
}

/** Presses Tab until something of such a name has the focus; all on the way are seen to have it. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    const stop = await focused(page);
    // Between the end of the page and its beginning the browser itself has the focus.
    if (stop.tag !== 'BODY') expect(stop, `where the focus is cannot be seen`).toMatchObject({ isSeen: true });
    if (name.test(stop.name)) return;
    passed.push(stop.name.slice(0, 40));
  }
  throw new Error(`no way to ${name} by Tab, but to ${passed.join(' | ')}`);
}

async function enter(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

/** The scene has changed: the keyboard is still somewhere. */
async function expectFocus(page: Page, scene: string): Promise<void> {
  await page.waitForFunction(() => document.activeElement !== null && document.activeElement !== document.body, undefined, { timeout: 3_000 }).catch(() => {
    throw new Error(`the focus is lost: ${scene}`);
  });
}

const SPECTRA: Readonly<Record<string, string>> = { R: 'Ruby', S: 'Sapphire', E: 'Emerald', A: 'Amber', V: 'Violet' };
const nameOf = (disk: string | undefined): string => `${SPECTRA[disk?.[0] ?? '']} ${disk?.[1]}`;

/** What the pegs of a board without rings must say, one of them with its top disk in the hand. */
function labelsOf(board: Board, held: number | null = null): string[] {
  return board.pegs.map((peg, index) => {
    const disks = [...peg].reverse();
    const lifted = held === index + 1 ? disks.shift() : undefined;
    const load = disks.length === 0 ? 'empty' : disks.map(nameOf).join(', ');
    return `Peg ${index + 1}: ${load}${lifted === undefined ? '' : `, ${nameOf(lifted)} in the hand`}`;
  });
}

/** By its number. */
const byNumber = (page: Page, peg: number): Promise<void> => page.keyboard.press(String(peg));

/** From the focused peg by arrows, and Enter. */
async function byArrows(page: Page, peg: number): Promise<void> {
  const at = Number(/^Peg (\d)/.exec((await focused(page)).name)?.[1]);
  for (let steps = Math.abs(peg - at); steps > 0; steps -= 1) await page.keyboard.press(peg > at ? 'ArrowRight' : 'ArrowLeft');
  expect((await focused(page)).name).toMatch(new RegExp(`^Peg ${peg}:`));
  await page.keyboard.press('Enter');
}

/** Makes transfers; after each act the pegs and the live region say what there is to say. The board behind them. */
async function play(page: Page, start: Board, line: readonly Transfer[], touch: typeof byNumber, made: number): Promise<Board> {
  let board = start;
  for (const [index, [from, to]] of line.entries()) {
    const disk = nameOf(topOf(board, from));
    await touch(page, from);
    expect(await said(page, /lifted/)).toEqual([`${disk} lifted from peg ${from}.`]);
    expect(await pegLabels(page)).toEqual(labelsOf(board, from));
    await touch(page, to);
    board = withTransfer(board, from, to);
    if (isHarmony(board)) break;
    expect(await said(page, / on peg /)).toEqual([`${disk} on peg ${to}.`]);
    await waitForMoves(page, made + index + 1);
    expect(await pegLabels(page)).toEqual(labelsOf(board));
  }
  return board;
}

/** From the start page to a lobby of the own, with the link in the clipboard. */
async function openRoom(ada: Page): Promise<string> {
  await ada.context().grantPermissions(['clipboard-write']);
  await ada.goto(on.server.url);
  await tabTo(ada, /^Your name$/);
  await ada.keyboard.type('Ada');
  await ada.keyboard.press('Enter');
  await ada.getByText('You play as Ada').waitFor();
  await expectFocus(ada, 'a name was taken');
  await tabTo(ada, /^Standard/);
  for (let up = 0; up < 2; up += 1) await ada.keyboard.press('ArrowUp');
  expect((await focused(ada)).name).toMatch(/^Initiate/);
  await enter(ada, /^Open the room$/);
  await ada.getByRole('heading', { name: 'The lobby' }).waitFor();
  await expectFocus(ada, 'the lobby');
  await enter(ada, /^Copy$/);
  expect(await said(ada, /copied/)).toEqual(['The link is copied.']);
  const link = await ada.evaluate(() => (window as unknown as Witness).copied);
  expect(link).toBe(ada.url());
  return link.split('/').at(-1) ?? '';
}

it('a whole match is played by keyboard alone: seen, spoken, and with the focus always somewhere', async () => {
  const ada = await on.visitor(DESKTOP);
  await witness(ada);
  const lucas = await (await Troupe.gather(ada.context().browser() as never, on.server.url)).player('Lucas');
  const code = await openRoom(ada);
  await lucas.sit(code);
  expect(await said(ada, /sits/)).toEqual(['Lucas sits down.']);
  await lucas.ready();
  expect(await said(ada, /ready/)).toEqual(['Lucas is ready.']);
  await enter(ada, /^I am ready$/);
  await ada.locator('[data-countdown]').waitFor();
  await expectFocus(ada, 'the countdown');
  expect(await said(ada, /begins/)).toEqual(['The race begins in 3 seconds.']);
  await waitForRace(ada);
  await expectFocus(ada, 'the race');

  const board = await readBoard(ada);
  expect(await pegLabels(ada)).toEqual(labelsOf(board));
  const line = solve(board);
  const half = Math.floor(line.length / 2);
  const halfway = await play(ada, board, line.slice(0, half), byNumber, 0);
  // What is refused is said, and why.
  const [from, wrong] = refusal(halfway);
  await byNumber(ada, from);
  await byNumber(ada, wrong);
  const because = topOf(halfway, wrong)?.[0] === topOf(halfway, from)?.[0] ? 'it is smaller' : 'another spectrum';
  const [disk, below] = [nameOf(topOf(halfway, from)), nameOf(topOf(halfway, wrong))];
  expect(await said(ada, /^Placement error/)).toEqual([`${disk} lifted from peg ${from}.`, `Placement error. ${disk} cannot rest on ${below}: ${because}.`]);
  await tabTo(ada, /^Peg \d:/);
  await play(ada, halfway, line.slice(half), byArrows, half);

  // A finish with an error does not end the race: the other one may still win.
  const finish = await said(ada, /Spire Restored!/);
  expect(finish.at(-1)).toMatch(/^Spire Restored! You finish in \d+:\d\d\.$/);
  expect(finish).toHaveLength(2);
  await expectFocus(ada, 'harmony');
  await lucas.say({ type: 'give_up' });
  await ada.locator('.result').waitFor();
  await expectFocus(ada, 'the result');
  expect(await said(ada, /over/)).toEqual(['Lucas gave up.', 'The round is over.']);
  await ada.getByRole('heading', { name: 'Spire Restored!' }).waitFor();

  await rematch(ada, lucas);
  expect(await ada.evaluate(() => (window as unknown as Witness).pointed)).toEqual([]);
  expectNoErrors(ada);
});

/** A disk, and a peg with one that it must not be placed on. */
function refusal(board: Board): [from: number, to: number] {
  for (const [index, peg] of board.pegs.entries()) {
    const top = peg.at(-1);
    const to = board.pegs.findIndex((other, at) => at !== index && other.length > 0 && top !== undefined && !rests(top, other.at(-1) ?? ''));
    if (top !== undefined && to >= 0) return [index + 1, to + 1];
  }
  throw new Error('every disk can go everywhere');
}

const rests = (disk: string, below: string): boolean => disk[0] === below[0] && Number(disk[1]) < Number(below[1]);

/** Both want another race; Ada gives it up after a transfer, and leaves. */
async function rematch(ada: Page, lucas: { say: (message: { type: string }) => Promise<void> }): Promise<void> {
  await lucas.say({ type: 'rematch' });
  expect(await said(ada, /ready/)).toEqual(['Lucas is ready.']);
  await enter(ada, /^Rematch/);
  await waitForRace(ada);
  await expectFocus(ada, 'the race after the rematch');
  expect(await said(ada, /begins/)).toEqual(['The race begins in 3 seconds.']);
  const board = await readBoard(ada);
  await play(ada, board, solve(board).slice(0, 1), byNumber, 0);
  await enter(ada, /^Give up$/);
  expect((await focused(ada)).name).toBe('Really give up?');
  await ada.keyboard.press('Enter');
  expect(await said(ada, /gave up/)).toEqual(['You gave up.']);
  await expectFocus(ada, 'after giving up');
  await enter(ada, /^Leave$/);
  await ada.waitForURL(on.server.url + '/');
  await ada.getByText('You play as Ada').waitFor();
  await expectFocus(ada, 'the start page');
}
