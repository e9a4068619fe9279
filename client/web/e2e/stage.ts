// What the tests of one file stand on: a real server, a browser, and visitors who are gone after each test.

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startBrowser, visitor } from './browser';
import { takeName } from './player';
import { type Server, startServer } from './server';

/** A server and a browser for all tests of a file. */
export interface Stage {
  /** The server; there while tests run. */
  readonly server: Server;
  /** Somebody new, with a profile of their own. */
  visitor: (viewport: { width: number; height: number }) => Promise<Page>;
  /** Somebody new who has taken a name that nobody else has. */
  player: (viewport: { width: number; height: number }) => Promise<[page: Page, id: string, name: string]>;
}

/** Sets the stage for the tests of this file; the server gets more flags. */
export function stage(flags: readonly string[] = []): Stage {
  let server: Server;
  let browser: Browser;
  const pages: Page[] = [];
  let named = 0;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(flags), startBrowser()]);
  });

  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.context().close()));
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function come(viewport: { width: number; height: number }): Promise<Page> {
    const page = await visitor(browser, viewport);
    pages.push(page);
    return page;
  }

  return {
    get server() {
      return server;
    },
    visitor: come,
    player: async (viewport) => {
      const page = await come(viewport);
      named += 1;
      const name = `Ada ${named}`;
      await page.goto(server.url);
      await takeName(page, name, 'Take it');
      await page.getByText(`You play as ${name}`).waitFor();
      const stored = await page.evaluate(() => localStorage.getItem('sprint.player'));
      return [page, (JSON.parse(stored ?? '') as { player_id: string }).player_id, name];
    },
  };
}
