// The rules as a player meets them on the page, on a small board that is known beforehand.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { RoomInfo, RoomOptions } from '../src/lib/protocol';
import { DESKTOP, PHONE, expectAccessible, expectNoErrors, shoot } from './browser';
import {
  byKeyboard,
  byTaps,
  clockOf,
  middleOf,
  movesOf,
  pegLabels,
  play,
  readBoard,
  takeName,
  waitForConnection,
  waitForMoves,
  waitForRace,
} from './player';
import { stage } from './stage';
import { type Transfer, solve } from './solve';

/** Two towers of two, each disk of size 1 on the wrong one: harmony in 3 transfers. */
const SWAPPED = 'R2S1/S2R1/-/- 7';
const SOLUTION: readonly Transfer[] = [[1, 3], [2, 1], [3, 2]];

const on = stage();

/** A room with those options, made over the public API. */
async function room(options: Partial<RoomOptions>): Promise<string> {
  const post = async <T>(path: string, body: unknown, token?: string): Promise<T> => {
    const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${on.server.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(201);
    return (await answer.json()) as T;
  };
  const { token } = await post<{ token: string }>('/players', {});
  const { code } = await post<RoomInfo>('/rooms', options, token);
  return `${on.server.url}/r/${code}`;
}

/** A name is given once: each race has players of its own. */
let races = 0;

/** Two players in mid-race in that room. */
async function race(options: Partial<RoomOptions>, second = DESKTOP, adasClock?: Date): Promise<[Page, Page]> {
  const link = await room(options);
  const ada = await on.visitor(DESKTOP);
  if (adasClock !== undefined) await ada.clock.setFixedTime(adasClock);
  const lucas = await on.visitor(second);
  races += 1;
  for (const [page, name] of [[ada, 'Ada'], [lucas, 'Lucas']] as const) {
    await page.goto(link);
    await takeName(page, `${name} ${races}`, 'Join');
    await page.getByRole('button', { name: 'I am ready' }).click();
  }
  await Promise.all([waitForRace(ada), waitForRace(lucas)]);
  return [ada, lucas];
}

it('a wrong placement in a strict room is shown as an error and put right', async () => {
  const [ada, lucas] = await race({ blueprint: SWAPPED });
  const start = await pegLabels(ada);
  await byKeyboard(ada, 1);
  await byKeyboard(ada, 2);
  await ada.getByText('Placement error. Sapphire 1 cannot rest on Ruby 1: another spectrum.').first().waitFor();
  expect(await pegLabels(ada)).toEqual(start);
  expect(await ada.locator('[data-errors]').textContent()).toBe('1');
  await lucas.getByText('1 error').waitFor();
  // A finish with errors does not end the round: the clean racer may still win.
  await play(ada, SOLUTION, byKeyboard);
  await ada.getByText(/Spire Restored!/).first().waitFor();
  await lucas.getByText(/finished 0:/).waitFor();
  await play(lucas, SOLUTION, byKeyboard);
  await lucas.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  expect(await ada.getByRole('row', { name: /Ada/ }).innerText()).toMatch(/2nd/);
  expectNoErrors(ada);
});

it('a touched disk is moved, undo takes back, and a reset wants two presses or a long one', async () => {
  const [ada] = await race({ blueprint: SWAPPED });
  const start = await pegLabels(ada);
  await byKeyboard(ada, 1);
  expect(await ada.locator('[data-spoken]').textContent()).toBe('Sapphire 1 lifted from peg 1.');
  await ada.keyboard.press('Escape');
  await ada.getByText(/Touch-and-move: Sapphire 1 can go to other pegs/).first().waitFor();
  await byKeyboard(ada, 3);
  await waitForMoves(ada, 1);
  await ada.keyboard.press('u');
  await waitForMoves(ada, 0);
  expect(await pegLabels(ada)).toEqual(start);
  await play(ada, [[1, 3], [2, 4]], byKeyboard);
  await ada.keyboard.press('r');
  await ada.getByRole('button', { name: 'Again to reset' }).waitFor();
  expect(await movesOf(ada)).toBe(2);
  await ada.keyboard.press('r');
  await waitForMoves(ada, 0);
  expect(await pegLabels(ada)).toEqual(start);
  await ada.getByText('Undo or reset used: no flawless bonus').waitFor();
  await play(ada, [[1, 3]], byKeyboard);
  await ada.getByRole('button', { name: 'Reset' }).hover();
  await ada.mouse.down();
  await waitForMoves(ada, 0);
  await ada.mouse.up();
  expect(await pegLabels(ada)).toEqual(start);
});

it('the board is played by focus and Enter alone, by dragging, and undone after a reload', async () => {
  const [ada] = await race({ blueprint: SWAPPED });
  await ada.locator('[data-peg="1"]').focus();
  await ada.keyboard.press('Enter');
  await ada.keyboard.press('ArrowRight');
  await ada.keyboard.press('ArrowRight');
  await ada.keyboard.press('Enter');
  await waitForMoves(ada, 1);
  expect((await pegLabels(ada))[2]).toBe('Peg 3: Sapphire 1');
  const [from, to] = [await middleOf(ada, 3), await middleOf(ada, 4)];
  await ada.mouse.move(from.x, from.y);
  await ada.mouse.down();
  await ada.mouse.move((from.x + to.x) / 2, from.y - 40, { steps: 4 });
  await ada.mouse.move(to.x, to.y, { steps: 4 });
  await ada.mouse.up();
  await waitForMoves(ada, 2);
  expect((await pegLabels(ada))[3]).toBe('Peg 4: Sapphire 1');
  await ada.reload();
  await waitForRace(ada);
  await ada.getByRole('button', { name: 'Undo' }).click();
  await waitForMoves(ada, 1);
  expect((await pegLabels(ada))[2]).toBe('Peg 3: Sapphire 1');
});

it('a guarded room shows legal targets and charges nothing, and boards may be hidden', async () => {
  const [ada, lucas] = await race({ blueprint: 'R2S1/S2R1/-/- 7 3s@m2 R1', placement: 'guarded', opponents: 'progress' }, PHONE);
  await byKeyboard(ada, 1);
  // Peg 3 is sealed and peg 2 is of another spectrum: peg 4 alone is left.
  expect(await ada.locator('.target').count()).toBe(1);
  await expectAccessible(ada);
  await shoot(ada, 'guarded');
  await byKeyboard(ada, 3);
  await ada.getByText('Peg 3 is sealed.').first().waitFor();
  expect(await ada.locator('[data-errors]').textContent()).toBe('0');
  await play(ada, [[1, 4]], byKeyboard);
  await lucas.getByText('1 move').waitFor();
  expect(await lucas.getByRole('img', { name: /Board of Ada/ }).count()).toBe(0);
  await byTaps(lucas, 2);
  await lucas.getByText('Choose the peg to place the disk on.').waitFor();
  await shoot(lucas, 'guarded');
});

it('a second tab takes the seat, and the first one says so and can take it back', async () => {
  const [ada] = await race({ blueprint: SWAPPED });
  const second = await ada.context().newPage();
  await second.goto(ada.url());
  await waitForRace(second);
  await ada.getByText('This seat is played in another tab').waitFor();
  await byKeyboard(ada, 1);
  await play(second, [[1, 3]], byKeyboard);
  await ada.getByRole('button', { name: 'Play here again' }).click();
  await waitForConnection(ada);
  await second.getByText('This seat is played in another tab').waitFor();
  await waitForMoves(ada, 1);
  await play(ada, [[2, 1]], byKeyboard);
});

it('a tab that lost the seat in the lobby says where the race is, and shows its result', async () => {
  const link = await room({ blueprint: SWAPPED });
  const [ada, lucas] = [await on.visitor(DESKTOP), await on.visitor(PHONE)];
  for (const [page, name] of [[ada, 'Ada'], [lucas, 'Lucas']] as const) {
    await page.goto(link);
    await takeName(page, `${name} in the lobby`, 'Join');
    await page.getByRole('heading', { name: 'The lobby' }).waitFor();
  }
  const second = await ada.context().newPage();
  await second.goto(link);
  await ada.getByText('This seat is played in another tab').waitFor();
  for (const page of [second, lucas]) await page.getByRole('button', { name: 'I am ready' }).click();
  await Promise.all([waitForRace(second), waitForRace(lucas)]);
  await ada.getByRole('heading', { name: 'You race elsewhere' }).waitFor();
  expect(await ada.getByRole('heading', { name: 'The lobby' }).count()).toBe(0);
  await expectAccessible(ada);
  await shoot(ada, 'race-elsewhere');
  await play(second, SOLUTION, byKeyboard);
  await ada.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  expectNoErrors(ada);
});

it('who has finished watches the rest with their distances, and a racer sees none', async () => {
  const [ada, lucas] = await race({ blueprint: SWAPPED, contest: 'fewest' });
  expect(await ada.getByRole('button', { name: 'Watch the rest' }).count()).toBe(0);
  await play(ada, SOLUTION, byKeyboard);
  await ada.getByRole('button', { name: 'Watch the rest' }).click();
  const board = ada.getByRole('article', { name: /^Lucas/ });
  await board.getByText('3 to go').waitFor();
  await byKeyboard(lucas, 1);
  await board.getByText('holds Sapphire 1').waitFor();
  await byKeyboard(lucas, 3);
  await board.getByText('2 to go').waitFor();
  await ada.getByRole('article', { name: /^Ada/ }).getByText('harmony').waitFor();
  await expectAccessible(ada);
  await shoot(ada, 'watch-the-rest');
  await ada.getByRole('button', { name: 'My board' }).click();
  await ada.locator('[data-peg="1"]').waitFor();
  await ada.getByRole('button', { name: 'Watch the rest' }).click();
  await board.waitFor();
  expect(await lucas.locator('[data-distance], [data-curve]').count()).toBe(0);
  await play(lucas, SOLUTION.slice(1), byKeyboard);
  // Both see the result, whatever Ada was looking at.
  for (const page of [ada, lucas]) await page.locator('.result').waitFor();
  for (const page of [ada, lucas]) expectNoErrors(page);
});

it('giving up wants two presses and leaves the race to the others', async () => {
  const [ada, lucas] = await race({ blueprint: SWAPPED });
  await ada.getByRole('button', { name: 'Give up' }).click();
  await ada.getByRole('button', { name: 'Really give up?' }).click();
  await ada.getByText('You gave up. The others race on.').waitFor();
  await lucas.getByText('gave up').first().waitFor();
  await play(lucas, SOLUTION, byKeyboard);
  await lucas.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
});

it('a full room lets one watch, and a wrong code says so', async () => {
  const [ada] = await race({ blueprint: SWAPPED });
  const carol = await on.visitor(DESKTOP);
  await carol.goto(ada.url());
  await takeName(carol, 'Carol', 'Join');
  await carol.getByRole('button', { name: 'Watch' }).click();
  await carol.getByRole('img', { name: /Board of Ada/ }).waitFor();
  await expectAccessible(carol);
  await shoot(carol, 'watching');
  await play(ada, [[1, 3]], byKeyboard);
  await carol.getByRole('img', { name: /Board of Ada.*Peg 3: Sapphire 1/ }).waitFor();
  await carol.goto(`${on.server.url}/r/000000`);
  await carol.getByText('There is no room 000000, or it is closed.').waitFor();
  await expectAccessible(carol);
  expectNoErrors(carol, /404/);
});

it('a lost connection is said, and the race goes on when it is back', async () => {
  const [ada, lucas] = await race({ blueprint: SWAPPED });
  await play(ada, [[1, 3]], byKeyboard);
  await ada.context().setOffline(true);
  await ada.getByText('The connection is lost.').waitFor();
  await lucas.getByText('not connected').waitFor();
  await shoot(ada, 'lost');
  await ada.context().setOffline(false);
  await waitForConnection(ada);
  expect(await movesOf(ada)).toBe(1);
  await play(ada, [[2, 1], [3, 2]], byKeyboard);
  await ada.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
});

it('a server that was killed comes back with the race as it was', async () => {
  const [ada, lucas] = await race({ blueprint: SWAPPED });
  await play(ada, [[1, 3]], byKeyboard);
  await lucas.getByRole('img', { name: /Board of Ada.*Peg 3: Sapphire 1/ }).waitFor();
  await on.server.crash();
  // Boards are hidden until both are back and a countdown is over.
  await Promise.all([ada, lucas].map((page) => page.locator('[data-countdown]').waitFor()));
  await Promise.all([waitForRace(ada), waitForRace(lucas)]);
  expect(await movesOf(ada)).toBe(1);
  await play(ada, [[2, 1], [3, 2]], byKeyboard);
  await ada.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  await ada.getByText('The server was interrupted').waitFor();
});

it('a hand faster than the pace of the server loses no act', async () => {
  const [ada] = await race({ preset: 'standard' });
  const line = solve(await readBoard(ada), 3);
  // More acts at once than the server's allowance: the rest is sent again, in order.
  expect(2 * line.length).toBeGreaterThan(30);
  await play(ada, line, byKeyboard);
  await ada.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  const row = ada.getByRole('row', { name: /Ada/ });
  expect(await row.innerText()).toMatch(new RegExp(`${line.length}\\s*/`));
  expectNoErrors(ada);
});

it('a clock of the device that is an hour off changes nothing', async () => {
  const [ada] = await race({ blueprint: SWAPPED }, DESKTOP, new Date(Date.now() + 3_600_000));
  await play(ada, [[1, 3], [2, 1]], byKeyboard);
  expect(await clockOf(ada)).toBeLessThan(600);
  await play(ada, [[3, 2]], byKeyboard);
  await ada.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  expect(await ada.getByRole('row', { name: /Ada/ }).innerText()).toMatch(/0:\d\d\.\d{3}/);
});
