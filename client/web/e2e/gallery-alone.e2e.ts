// The gallery of what is played alone: the almanac and its stages, the tutorial, Infinite Shuffle, the Daily Spire.

import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import type { Board } from '../src/lib/board';
import type { Daily, PastDaily, RoomInfo } from '../src/lib/protocol';
import { LANGUAGES, gallery } from './gallery';
import type { Puppet } from './puppets';
import { type Transfer, solve } from './solve';

/** On the standard board of seed 6 these three give both free pegs away, and harmony with them. */
const LOSING: readonly Transfer[] = [[1, 5], [1, 4], [3, 6]];

describe.each(LANGUAGES)('the gallery of what is played alone in %s', (language) => {
  const on = gallery(language, ['--countdown-ms', '200', '--acts-per-s', '0']);

  /** Begins what that address opens; its room and its board. */
  async function begin(puppet: Puppet, path: string, body: object = {}): Promise<{ code: string; board: Board }> {
    const { code } = await on.troupe.ask<RoomInfo>(path, puppet.token, body);
    await puppet.sit(code);
    return { code, board: await puppet.board() };
  }

  async function enter(page: Page, code: string, there: string): Promise<void> {
    await page.goto(`${on.server.url}/r/${code}`);
    await page.locator(there).first().waitFor();
  }

  it('the almanac and its stages: new, locked, open, played, solved', async () => {
    const ada = await on.troupe.player('Ada');
    const page = await on.visitor(ada);
    await on.visit(page, '/campaign', '[data-stage="50"]', 'campaign-new');
    await on.visit(page, '/campaign/3', 'main h1', 'stage-locked');
    await on.visit(page, '/campaign/1', 'main h1', 'stage-open');
    for (const stage of [1, 2, 3, 4]) {
      const { board } = await begin(ada, `/campaign/${stage}`);
      await ada.play(solve(board));
      await ada.hears('round_over');
    }
    const { code, board } = await begin(ada, '/campaign/5');
    const line = solve(board);
    await ada.play(line.slice(0, 4));
    await enter(page, code, '[data-peg="1"]');
    await on.show(page, 'stage-race');
    await ada.sit(code);
    await ada.play(line.slice(4));
    await enter(page, code, '.result');
    await on.show(page, 'stage-result');
    await on.visit(page, '/campaign', '[data-stage="1"] [data-stars="3"]', 'campaign');
    await on.visit(page, '/campaign/2', '[data-record]', 'stage-solved');
    await on.visit(page, '/campaign/51', '[role="alert"], main h1', 'stage-missing');
    const lost = await begin(ada, '/campaign/6');
    await ada.act({ type: 'lift', peg: lost.board.pegs.findIndex((peg) => peg.length > 0) + 1 });
    await ada.say({ type: 'give_up' });
    await ada.hears('round_over');
    await enter(page, lost.code, '.result');
    await on.show(page, 'stage-given-up');
    const other = await on.visitor(await on.troupe.player('Lucas'));
    const open = await begin(ada, '/campaign/1');
    await enter(other, open.code, '[role="alert"]');
    await on.show(other, 'session-of-another');
  });

  it('the tutorial: its lessons, one of them before, in and after it', async () => {
    const ada = await on.troupe.player('Ada who learns');
    const page = await on.visitor(ada);
    await on.visit(page, '/tutorial', '[data-lesson="7"]', 'tutorial-new');
    await on.visit(page, '/tutorial/1', 'main h1', 'lesson');
    const { code } = await begin(ada, '/tutorial/1');
    await enter(page, code, '[data-step]');
    await page.keyboard.press('1');
    await page.keyboard.press('2');
    await page.locator('[data-step="done"]').waitFor();
    await on.show(page, 'lesson-race');
    await ada.sit(code);
    await ada.play([[1, 3], [2, 3], [1, 3]]);
    await enter(page, code, '.result');
    await on.show(page, 'lesson-result');
    await on.visit(page, '/tutorial', '[data-lesson="1"]', 'tutorial');
  });

  it('Infinite Shuffle: before, with a hint, on a lost board, and the result', async () => {
    const ada = await on.troupe.player('Ada who shuffles');
    const page = await on.visitor(ada);
    await on.visit(page, '/shuffle', 'main h1', 'shuffle');
    const { code, board } = await begin(ada, '/shuffle', { preset: 'standard', seed: '6', helped: false });
    await enter(page, code, '[data-peg="1"]');
    await page.keyboard.press('?');
    await page.locator('[data-hint="from"]').waitFor();
    await on.show(page, 'shuffle-hint');
    await ada.sit(code);
    await ada.play(LOSING);
    await enter(page, code, '[data-peg="1"]');
    await page.keyboard.press('?');
    await page.locator('.lost').waitFor();
    await on.show(page, 'shuffle-lost');
    await ada.sit(code);
    for (let back = 0; back < LOSING.length; back += 1) await ada.act({ type: 'undo' });
    await ada.play(solve(board, 3));
    await enter(page, code, '[data-next]');
    await on.show(page, 'shuffle-result');
  });

  it('the Daily Spire: before, in and after the try, a past day, and one that is none', async () => {
    const [ada, lucas] = [await on.troupe.player('Ada of the day'), await on.troupe.player('Lucas of the day')];
    const page = await on.visitor(ada);
    await on.visit(page, '/daily', '[data-left]', 'daily-before');
    const { code, board } = await begin(ada, '/daily', { practice: false });
    const line = solve(board, 3);
    await ada.play(line.slice(0, 7));
    await enter(page, code, '[data-peg="1"]');
    await on.show(page, 'daily-race');
    await on.visit(page, '/daily', '[data-left]', 'daily-open');
    await ada.sit(code);
    await ada.play(line.slice(7));
    await enter(page, code, '[data-share]');
    await on.show(page, 'daily-result');
    const second = await begin(lucas, '/daily', { practice: false });
    await lucas.play(line.slice(0, 3));
    await lucas.say({ type: 'give_up' });
    await lucas.hears('round_over');
    await on.visit(page, '/daily', '[data-share]', 'daily-after');
    const loser = await on.visitor(lucas);
    await enter(loser, second.code, '[data-share]');
    await on.show(loser, 'daily-given-up');

    const { today } = await on.troupe.ask<Daily>('/daily');
    const day = new Date(Date.parse(today.day) - 86_400_000).toISOString().slice(0, 10);
    // The server of this test is younger than that.
    const past: PastDaily = {
      promise: { ...today, day, preset: 'initiate' },
      deal_version: 1,
      server_seed: '0123456789abcdef'.repeat(4),
      redeals: 0,
      board: 'R1S3R2/S1R3S2/-/- 7',
      optimum: 9,
      par: 11,
    };
    await page.route(`**/api/v1/daily/${day}`, (route) => route.fulfill({ json: past }));
    await on.visit(page, `/daily/${day}`, '[data-server-seed]', 'daily-past');
    await on.visit(page, '/daily/2026-02-30', '[role="alert"], main h1', 'daily-missing');
  });
});
