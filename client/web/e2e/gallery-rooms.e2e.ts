// The gallery of races: from the first visit over the lobby and the race to the result, and what can go wrong there.

import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { type Board, pegNumbers, withTransfer } from '../src/lib/board';
import { legalTargets } from '../src/lib/legality';
import { LANGUAGES, gallery, showVisions } from './gallery';
import type { Puppet } from './puppets';
import { type Transfer, solve } from './solve';

/** Two towers of two, each disk of size 1 on the wrong one: harmony in 3 transfers. */
const SWAPPED = 'R2S1/S2R1/-/- 7';
const SOLUTION: readonly Transfer[] = [[1, 3], [2, 1], [3, 2]];
/** With two pegs sealed at first, the transfer 2-3 leaves no other one. */
const TRAP = 'E2S2R1/R2E1S1/-/-/- 7 4s@m2,5s@m2';
/** A seal, a collar and a home, in a room that shows where a disk may go. */
const RINGED = 'R3S1S2/S3R2/R1/-/- 7 5s@m3,4c4@t1 R2';

/** A peg that would not take the top disk of that one. */
function wrongTarget(board: Board, from: number): number {
  const legal = legalTargets(board, from, 0);
  return pegNumbers(board).find((to) => to !== from && !legal.includes(to)) ?? from;
}

describe.each(LANGUAGES)('the gallery of races in %s', (language) => {
  const on = gallery(language, ['--offer-ms', '600000', '--countdown-ms', '200', '--acts-per-s', '0']);

  const people = (names: readonly string[]): Promise<Puppet[]> => Promise.all(names.map((name) => on.troupe.player(name)));

  /** Goes to a room and waits for that part of it. */
  async function enter(page: Page, code: string, there: string, role = 'r'): Promise<void> {
    await page.goto(`${on.server.url}/${role}/${code}`);
    await page.locator(there).first().waitFor();
  }

  it('the door: the start page, a name that is taken, a link, and addresses that lead nowhere', async () => {
    const [ada, grace, tom] = (await people(['Ada Lovelace', 'Grace Hopper', 'Tom Kilburn'])) as [Puppet, Puppet, Puppet];
    const open = await on.troupe.table([ada], { public: true, preset: 'initiate' });
    await on.troupe.race([grace, tom], { public: true, preset: 'apprentice' });

    const nobody = await on.visitor();
    await on.visit(nobody, '/', 'main h1', 'start-first');
    await nobody.locator('#name').fill('Grace Hopper');
    await nobody.keyboard.press('Enter');
    await nobody.locator('form [role="alert"]').waitFor();
    await on.show(nobody, 'start-name-taken');
    await on.visit(nobody, `/r/${open}`, '#name', 'join');
    await on.visit(nobody, '/nowhere', 'main h1', 'unknown');

    const known = await on.visitor(ada);
    await on.visit(known, '/', 'main h1', 'start-known');
    await on.visit(known, '/r/000000', '[role="alert"]', 'room-missing');
    await on.visit(known, '/watch', 'main h1', 'watch-list');
  });

  it('the lobby: alone, full, with emotes, and without a host who wants one', async () => {
    const [ada, lucas, eve, max] = (await people(['Ada', 'Édouard Lucas', 'Evelyn Granville', 'Max'])) as [Puppet, Puppet, Puppet, Puppet];
    const page = await on.visitor(ada);
    const code = await on.troupe.table([ada], { seats: 4 });
    await enter(page, code, '[data-code]');
    await on.show(page, 'lobby-alone');
    for (const guest of [lucas, eve, max]) await guest.sit(code);
    await lucas.ready();
    await max.vanish();
    await page.waitForFunction((name) => document.querySelector('main')?.textContent?.includes(name), 'Max');
    await on.show(page, 'lobby-full');
    await page.locator('.emotes button').first().click();
    await on.show(page, 'lobby-emotes');

    const guest = await on.visitor(eve);
    await enter(guest, code, '[data-code]');
    await on.show(guest, 'lobby-guest');
    await enter(guest, code, 'main h1', 'watch');
    await on.show(guest, 'watching-lobby');
    await ada.sit(code);
    await page.locator('[role="status"] button').waitFor();
    await on.show(page, 'seat-elsewhere');
    await enter(guest, code, '[data-code]');
    await ada.say({ type: 'kick', seat: 3 });
    await guest.locator('[role="alert"]').waitFor();
    await on.show(guest, 'kicked');
    await ada.say({ type: 'close' });
    await enter(page, code, '[role="alert"]');
    await on.show(page, 'room-closed');
  });

  it('a race of two: the own board, a lifted disk, a refused peg, the reset asked for, and no connection', async () => {
    const [ada, lucas] = (await people(['Ada 2', 'Lucas'])) as [Puppet, Puppet];
    const { code, board } = await on.troupe.race([ada, lucas], { preset: 'standard' });
    const line = solve(board, 3);
    await ada.play(line.slice(0, 8));
    await lucas.play(line.slice(0, 11));
    await lucas.act({ type: 'lift', peg: line[11]?.[0] ?? 1 });
    const page = await on.visitor(ada);
    await enter(page, code, '[data-peg="1"]');
    await on.show(page, 'race');
    const now = line.slice(0, 8).reduce((at, transfer) => withTransfer(at, ...transfer), board);
    const from = line[8]?.[0] ?? 1;
    await page.keyboard.press(String(from));
    await page.locator('[data-peg][aria-pressed="true"]').waitFor();
    await on.show(page, 'race-lifted');
    await page.keyboard.press(String(wrongTarget(now, from)));
    await page.waitForFunction(() => document.querySelector('[data-errors]')?.textContent === '1');
    await on.show(page, 'race-refused');
    await page.keyboard.press('r');
    await on.show(page, 'race-reset-asked');
    await page.context().setOffline(true);
    await page.locator('[role="status"] p').first().waitFor();
    await on.show(page, 'connection-lost');
  });

  it('a race of four, one of whom is done and one gone; and as it is watched', async () => {
    const four = await people(['Ada 4', 'Barbara', 'Technomancer Carol', 'Dorothy']);
    const [ada, barbara, carol, dorothy] = four as [Puppet, Puppet, Puppet, Puppet];
    const { code, board } = await on.troupe.race(four, { preset: 'standard', contest: 'fewest', public: true });
    const line = solve(board, 3);
    await ada.play(line.slice(0, 5));
    await carol.play(line.slice(0, 12));
    await dorothy.play(line.slice(0, 2));
    const page = await on.visitor(ada);
    await enter(page, code, '[data-peg="1"]');
    await on.show(page, 'race-four');
    await barbara.play(line);
    await dorothy.say({ type: 'give_up' });
    await carol.vanish();
    await page.locator('article', { hasText: 'Barbara' }).getByText(/\d:\d\d\.\d/).waitFor();
    await on.show(page, 'race-opponent-done');

    const eve = await on.visitor();
    await enter(eve, code, '[data-distance]', 'watch');
    await on.show(eve, 'watching-four');
    await ada.sit(code);
    await ada.say({ type: 'give_up' });
    await enter(page, code, '[data-peg="1"]');
    await on.show(page, 'race-given-up');
  });

  it('five spectra of seven sizes, as everybody sees them', async () => {
    const two = (await people(['Ada 5', 'Lucas 5'])) as [Puppet, Puppet];
    const { code, board } = await on.troupe.race(two, { preset: 'spire', public: true });
    const page = await on.visitor(two[0]);
    await enter(page, code, '[data-peg="1"]');
    await on.show(page, 'race-spire');
    const [from = 1] = pegNumbers(board).filter((peg) => legalTargets(board, peg, 0).length > 0);
    await page.keyboard.press(String(from));
    await page.locator('[data-peg][aria-pressed="true"]').waitFor();
    await showVisions(page, 'race-spire');
    const eve = await on.visitor();
    await enter(eve, code, 'article', 'watch');
    await on.show(eve, 'watching-two');
  });

  it('a board with a seal, a collar and a home where targets are shown; and one on which nothing goes any more', async () => {
    const [ada, lucas] = (await people(['Ada 6', 'Lucas 6'])) as [Puppet, Puppet];
    const page = await on.visitor(ada);
    const ringed = await on.troupe.race([ada, lucas], { blueprint: RINGED, placement: 'guarded', opponents: 'progress' });
    await enter(page, ringed.code, '[data-peg="1"]');
    await page.keyboard.press('1');
    await page.locator('[data-peg][aria-pressed="true"]').waitFor();
    await on.show(page, 'race-rings');
    const trap = await on.troupe.race([ada, lucas], { blueprint: TRAP });
    await ada.play([[2, 3]]);
    await enter(page, trap.code, '[data-peg="1"]');
    await on.show(page, 'race-lockout');
  });

  it('a result of four, won and lost', async () => {
    const four = await people(['Ada 7', 'Barbara 7', 'Technomancer Carol 7', 'Dorothy 7']);
    const [ada, barbara, carol] = four as [Puppet, Puppet, Puppet, Puppet];
    const { code, board } = await on.troupe.race(four, { preset: 'standard' });
    const line = solve(board, 3);
    await barbara.play(line.slice(0, 9));
    await carol.play(line.slice(0, 14));
    await carol.act({ type: 'undo' });
    await ada.play(line);
    for (const [puppet, name] of [[ada, 'result-won'], [barbara, 'result-lost']] as const) {
      const page = await on.visitor(puppet);
      await enter(page, code, '.result');
      await page.locator('.result [data-curve], .result details').first().waitFor();
      await on.show(page, name);
    }
  });

  it('a series between its rounds and at its end', async () => {
    const [ada, lucas] = (await people(['Ada 8', 'Lucas 8'])) as [Puppet, Puppet];
    const { code } = await on.troupe.race([ada, lucas], { blueprint: SWAPPED, rounds: 3 });
    await ada.play(SOLUTION);
    await ada.hears('round_over');
    const page = await on.visitor(lucas);
    await enter(page, code, '.result');
    await on.show(page, 'series-between');
    await lucas.sit(code);
    await Promise.all([ada.ready(), lucas.ready()]);
    await ada.board(2);
    await ada.play(SOLUTION);
    await ada.hears('series_over');
    await enter(page, code, '.result ol');
    await on.show(page, 'series-end');
  });

  it('a quick match: asked for, waited for, and what it did to the ratings', async () => {
    const [ada, lucas] = (await people(['Ada 9', 'Lucas 9'])) as [Puppet, Puppet];
    const page = await on.visitor(ada);
    await on.visit(page, '/quick', 'input[name="preset"]', 'quick');
    await on.visit(page, '/quick?seats=3&preset=expert', '[data-waited]', 'quick-waiting');
    await page.goto(on.server.url);
    await Promise.all([ada.queue(2, 'initiate'), lucas.queue(2, 'initiate')]);
    const code = await ada.matched();
    await Promise.all([ada.sit(code), lucas.sit(code)]);
    const [board] = await Promise.all([ada.board(), lucas.board()]);
    await lucas.play(solve(board).slice(0, 3));
    await ada.play(solve(board));
    await enter(page, code, '.result .moves');
    await on.show(page, 'result-rated');
  });
});

describe.each(LANGUAGES)('the gallery of waits in %s', (language) => {
  const on = gallery(language, ['--offer-ms', '300', '--countdown-ms', '60000']);

  it('a countdown, and a bot that is offered', async () => {
    const [ada, lucas] = [await on.troupe.player('Ada'), await on.troupe.player('Lucas')];
    const code = await on.troupe.table([ada, lucas]);
    await Promise.all([ada.ready(), lucas.ready()]);
    await ada.hears('countdown_started');
    const page = await on.visitor(ada);
    await on.visit(page, `/r/${code}`, '[data-countdown]', 'countdown');
    await on.visit(await on.visitor(), '/quick?seats=2&preset=initiate', '.offer', 'quick-offer');
  });
});
