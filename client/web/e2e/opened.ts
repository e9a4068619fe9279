// A race of two without its form and its sharing: the room is opened by the API, and both press the button.

import type { Page } from 'playwright-core';
import { waitForRace } from './player';

/** Opens an initiate room as who plays on this page; its code. */
export function openRoom(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const { token } = JSON.parse(localStorage.getItem('sprint.player') ?? '') as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch('/api/v1/rooms', { method: 'POST', headers, body: JSON.stringify({ preset: 'initiate' }) });
    return ((await answer.json()) as { code: string }).code;
  });
}

/** Everybody in a lobby gets ready, and the race begins. */
export async function getReady(...pages: Page[]): Promise<void> {
  for (const page of pages) await page.getByRole('button', { name: 'I am ready' }).click();
  await Promise.all(pages.map(waitForRace));
}
