// Campaign Master and the tutorial as a visitor meets them, against the real server: by keyboard alone from the start page,
// on a phone by taps, over a reload and a restart.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, PHONE, expectAccessible, expectNoErrors, shoot } from './browser';
import { byKeyboard, byTaps, movesOf, pegLabels, play, readBoard, tabTo, waitForMoves, waitForRace } from './player';
import { solve } from './solve';
import { stage } from './stage';

const on = stage();

/** Presses Tab until that element has the focus, and Enter. */
async function enter(page: Page, name: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

/** The almanac as it stands: stars, crowns, and what the first three cards say. */
async function almanac(page: Page): Promise<{ stars: string | null; crowns: string | null; cards: string[] }> {
  await page.locator('[data-stage="50"]').waitFor();
  await page.locator('[data-stage="1"] [data-stars="3"]').waitFor();
  const cards = await page.locator('[data-stage]').evaluateAll((all) => all.slice(0, 3).map((card) => card.textContent ?? ''));
  return {
    stars: await page.locator('[data-stars-all]').textContent(),
    crowns: await page.locator('[data-crowns-all]').textContent(),
    cards: cards.map((card) => (card.includes('locked') ? 'locked' : 'open')),
  };
}

it('by keyboard alone stage 1 is solved from the start page; its stars and stage 2 outlast a reload and a restart', async () => {
  const page = await on.visitor(DESKTOP);
  await page.goto(on.server.url);
  await page.getByRole('heading', { name: 'Alone in the Spire' }).waitFor();
  await shoot(page, 'start-alone');
  await enter(page, 'Campaign');
  await page.locator('[data-stage="50"]').waitFor();
  expect(await page.locator('[data-stage]').count()).toBe(50);
  expect(await page.getByText('locked', { exact: true }).count()).toBe(49);
  await expectAccessible(page);
  await shoot(page, 'campaign-new');

  await enter(page, 'Begin with stage 1');
  await page.getByRole('heading', { name: '1. First Light' }).waitFor();
  await page.getByText('Nobody stands here yet.').waitFor();
  await expectAccessible(page);
  await shoot(page, 'stage-new');

  await enter(page, 'Begin');
  await waitForRace(page);
  expect(await page.title()).toContain('Stage 1');
  expect(await page.locator('[data-code], .code strong').count()).toBe(0);
  const line = solve(await readBoard(page));
  expect(line).toHaveLength(6);
  await play(page, line.slice(0, 3), byKeyboard);
  await page.getByText('against').waitFor();
  await expectAccessible(page);
  await shoot(page, 'stage-played');
  await play(page, line.slice(3), byKeyboard);

  await page.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  await page.locator('.result [data-stars="3"] [data-crown]').waitFor();
  await page.getByText('Stage 2 is open: Two Lanterns.').waitFor();
  await page.getByText('Solved for the first time.').waitFor();
  // 1000 + 2 moves under par + under two minutes, one and a half times.
  const ledger = page.getByRole('table', { name: 'Spire Ledger' });
  expect(await ledger.locator('tbody tr').allTextContents()).toEqual([
    'Harmony10001000',
    '2 moves under par, 50 each+ 1001100',
    'Under 2:00+ 1001200',
    'Flawless: neither undo nor reset× 1.51800',
  ]);
  expect(await ledger.locator('[data-score]').textContent()).toBe('1800');
  await page.getByText('You wasted nothing.').waitFor();
  await expectAccessible(page);
  await shoot(page, 'stage-result');

  // A page that comes in late knows what was reached; N goes on, and leaving asks nothing before the first act.
  await page.reload();
  await page.getByText('This is your best score here.').waitFor();
  await page.getByRole('button', { name: 'Next stage' }).waitFor();
  await page.keyboard.press('n');
  await waitForRace(page);
  expect(await page.title()).toContain('Stage 2');
  await enter(page, 'Leave');
  await page.getByRole('heading', { name: '2. Two Lanterns' }).waitFor();

  await enter(page, 'Almanac');
  const solved = { stars: '3', crowns: '1', cards: ['open', 'open', 'locked'] };
  expect(await almanac(page)).toEqual(solved);
  await expectAccessible(page);
  await shoot(page, 'campaign');
  await page.reload();
  expect(await almanac(page)).toEqual(solved);
  await on.server.restart();
  await page.reload();
  expect(await almanac(page)).toEqual(solved);

  await enter(page, 'Continue with stage 2');
  await page.getByRole('heading', { name: '2. Two Lanterns' }).waitFor();
  await enter(page, 'Begin');
  await waitForRace(page);
  expectNoErrors(page);
});

it('a locked stage says which one opens it, and the server does not begin it', async () => {
  const [page] = await on.player(PHONE);
  await page.goto(`${on.server.url}/campaign/3`);
  await page.getByText(/Locked: this stage opens when/).waitFor();
  expect(await page.getByRole('button', { name: 'Begin' }).count()).toBe(0);
  await expectAccessible(page);
  await shoot(page, 'stage-locked');
  const status = await page.evaluate(async () => {
    const { token } = JSON.parse(localStorage.getItem('sprint.player') ?? '') as { token: string };
    return (await fetch('/api/v1/campaign/3', { method: 'POST', headers: { authorization: `Bearer ${token}` } })).status;
  });
  expect(status).toBe(403);
  await page.goto(`${on.server.url}/campaign/51`);
  await page.getByText('The almanac has stages 1 to 50.').waitFor();
  await page.goto(`${on.server.url}/campaign/50`);
  await page.getByRole('heading', { name: /^50\. / }).waitFor();
  await shoot(page, 'stage-last');
  expectNoErrors(page, /403/);
});

it('on a phone an error marks the result, again is the same board, and a beaten record is told', async () => {
  const [page, , name] = await on.player(PHONE);
  await page.goto(`${on.server.url}/campaign`);
  await page.locator('[data-stage="1"]').tap();
  await page.getByRole('button', { name: 'Begin' }).tap();
  await waitForRace(page);
  const board = await readBoard(page);
  const labels = await pegLabels(page);
  const line = solve(board);
  // Sapphire 3 on Sapphire 2: back it goes, and it counts. Then a transfer that is taken back.
  await byTaps(page, 2);
  await byTaps(page, 1);
  await page.locator('.hint').getByText(/^Placement error\./).waitFor();
  await play(page, line.slice(0, 1), byTaps);
  await page.getByRole('button', { name: 'Undo' }).tap();
  await waitForMoves(page, 0);
  await expectAccessible(page);
  await shoot(page, 'stage-played');
  await play(page, line, byTaps);
  await page.getByText('1 placement error: this result is marked.').waitFor();
  expect(await page.locator('[data-score]').textContent()).toBe('1200');
  await expectAccessible(page);
  await shoot(page, 'stage-result');

  await page.getByRole('button', { name: 'Again' }).tap();
  await waitForRace(page);
  expect(await pegLabels(page)).toEqual(labels);
  expect(await movesOf(page)).toBe(0);
  await page.getByText('Your record: 6 moves').waitFor();
  await play(page, line, byTaps);
  await page.getByText('Best score: 1800, before 1200.').waitFor();
  await page.getByRole('button', { name: 'Next stage' }).tap();
  await waitForRace(page);
  expect(await page.title()).toContain('Stage 2');

  // Nothing was done yet: leaving asks nothing. With a transfer it does, and the session is over.
  await page.getByRole('button', { name: 'Leave' }).tap();
  await page.getByRole('heading', { name: '2. Two Lanterns' }).waitFor();
  await page.getByRole('button', { name: 'Begin' }).tap();
  await waitForRace(page);
  await play(page, solve(await readBoard(page)).slice(0, 1), byTaps);
  await page.getByRole('button', { name: 'Give up' }).tap();
  await page.getByRole('button', { name: 'Really give up?' }).tap();
  await page.getByRole('heading', { name: 'Not restored this time' }).waitFor();
  await shoot(page, 'stage-given-up');

  // The results of the first stage stand on its board, the best one of each player.
  await page.goto(`${on.server.url}/campaign/1`);
  await expect
    .poll(
      async () => {
        await page.reload();
        await page.locator('[aria-label="Leaderboard"]').getByText(/^(You are|Nobody)/).first().waitFor();
        return page.locator('[aria-label="Leaderboard"]').textContent();
      },
      { timeout: 90_000, interval: 3_000 },
    )
    .toContain(`${name}you`.replace('you', ' '));
  await page.locator('[data-record] [data-stars="3"]').waitFor();
  await expectAccessible(page);
  await shoot(page, 'stage');
  expectNoErrors(page);
});

it('who opens a session of somebody else is told plainly', async () => {
  const [[ada], [lucas]] = await Promise.all([on.player(DESKTOP), on.player(DESKTOP)]);
  await ada.goto(`${on.server.url}/campaign/1`);
  await ada.getByRole('button', { name: 'Begin' }).click();
  await waitForRace(ada);
  await lucas.goto(ada.url());
  await lucas.getByText('Stage 1 is played here by one player alone, and nobody else can come in.').waitFor();
  await lucas.getByRole('link', { name: 'To Stage 1' }).waitFor();
  await expectAccessible(lucas);
  await shoot(lucas, 'stage-of-another');
  expectNoErrors(ada);
});

it('a lesson is coached step by step to its end, and the next one follows', async () => {
  const [page] = await on.player(DESKTOP);
  await page.goto(`${on.server.url}/tutorial`);
  await page.getByRole('heading', { name: 'Tutorial', level: 1 }).waitFor();
  await page.locator('[data-lesson="7"]').waitFor();
  await expectAccessible(page);
  await shoot(page, 'tutorial-new');
  await page.getByRole('link', { name: 'Begin with lesson 1' }).click();
  await page.getByRole('heading', { name: 'Small upon large' }).waitFor();
  await expectAccessible(page);
  await shoot(page, 'lesson');
  await page.getByRole('button', { name: 'Begin' }).click();
  await waitForRace(page);
  const coach = page.getByRole('region', { name: 'Coach' });
  await coach.getByText('Lift it and try to place it on peg 2').first().waitFor();
  expect(await coach.locator('[data-step="done"]').count()).toBe(0);
  await shoot(page, 'lesson-played');
  // The law is learnt by trying what it forbids, at no cost; the step stays done over a reload.
  await page.keyboard.press('1');
  await page.keyboard.press('2');
  await coach.getByText('It does not hold.').first().waitFor();
  expect(await coach.locator('[data-step="done"]').count()).toBe(1);
  await page.reload();
  await waitForRace(page);
  await coach.locator('[data-step="done"]').waitFor();
  await expectAccessible(page);
  await shoot(page, 'lesson-second');
  await play(page, [[1, 3], [2, 3], [1, 3]], byKeyboard);
  await page.getByRole('heading', { name: 'Lesson learnt' }).waitFor();
  await page.getByText('3 moves: the fewest there are.').waitFor();
  await expectAccessible(page);
  await shoot(page, 'lesson-result');
  await page.getByRole('button', { name: 'Next: Like upon like' }).click();
  await waitForRace(page);
  await coach.getByText('Lift it from peg 1 and try to place it on peg 2').first().waitFor();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.goto(`${on.server.url}/tutorial`);
  await page.locator('[data-lesson="1"]').getByText('learnt').waitFor();
  await page.getByRole('link', { name: 'Continue with lesson 2' }).waitFor();
  await shoot(page, 'tutorial');
  expectNoErrors(page);
});

it('the last lesson is finished on a phone, and the campaign is next', async () => {
  const [page] = await on.player(PHONE);
  await page.goto(`${on.server.url}/tutorial`);
  await page.locator('[data-lesson="7"]').waitFor();
  await expectAccessible(page);
  await shoot(page, 'tutorial-new');
  await page.locator('[data-lesson="7"]').tap();
  await page.getByRole('heading', { name: 'The reversal check' }).waitFor();
  await expectAccessible(page);
  await shoot(page, 'lesson');
  await page.getByRole('button', { name: 'Begin' }).tap();
  await waitForRace(page);
  await expectAccessible(page);
  await shoot(page, 'lesson-played');
  const line = solve(await readBoard(page));
  expect(line).toHaveLength(9);
  await play(page, line, byTaps);
  await page.getByRole('link', { name: 'To the campaign' }).waitFor();
  await expectAccessible(page);
  await shoot(page, 'lesson-result');
  expectNoErrors(page);
});
