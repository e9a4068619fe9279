// Which component shows a route, and the texts it needs: both are loaded when somebody goes there.

import type { Component } from 'svelte';
import type { Area } from '../locale/areas';
import { prepare } from './locale.svelte';
import type { Route } from './route';

/** How a route is shown. */
export interface Page {
  load: () => Promise<{ default: Component<any> }>;
  /** Its texts, those of all its parts included. */
  areas: readonly Area[];
}

const ROOM: Page = { load: () => import('../pages/RoomPage.svelte'), areas: ['core', 'race', 'room'] };

/** The page of each route. */
export const PAGES: Readonly<Record<Route['page'], Page>> = {
  start: { load: () => import('../pages/Start.svelte'), areas: ['core', 'hall'] },
  room: ROOM,
  watching: ROOM,
  watch: { load: () => import('../pages/Watch.svelte'), areas: ['core', 'race', 'hall', 'room', 'result', 'review'] },
  quick: { load: () => import('../pages/Quick.svelte'), areas: ['core', 'hall'] },
  match: { load: () => import('../pages/Match.svelte'), areas: ['core', 'race', 'room', 'result', 'review', 'people'] },
  player: { load: () => import('../pages/Player.svelte'), areas: ['core', 'people'] },
  leaderboard: { load: () => import('../pages/Leaderboard.svelte'), areas: ['core', 'people'] },
  account: { load: () => import('../pages/Account.svelte'), areas: ['core', 'people'] },
  link: { load: () => import('../pages/Link.svelte'), areas: ['core', 'people'] },
  hanoi: { load: () => import('../pages/Hanoi.svelte'), areas: ['core', 'race', 'hanoi'] },
  campaign: { load: () => import('../pages/Campaign.svelte'), areas: ['core', 'race', 'alone', 'almanac'] },
  stage: { load: () => import('../pages/Stage.svelte'), areas: ['core', 'race', 'people', 'alone', 'almanac'] },
  tutorial: { load: () => import('../pages/Tutorial.svelte'), areas: ['core', 'race', 'alone', 'almanac'] },
  lesson: { load: () => import('../pages/Lesson.svelte'), areas: ['core', 'race', 'alone', 'almanac'] },
  shuffle: { load: () => import('../pages/Shuffle.svelte'), areas: ['core', 'race', 'alone'] },
  daily: { load: () => import('../pages/Daily.svelte'), areas: ['core', 'race', 'result', 'people', 'alone'] },
  offline: { load: () => import('../pages/Offline.svelte'), areas: ['core', 'race', 'alone', 'almanac'] },
  rules: { load: () => import('../pages/Rules.svelte'), areas: ['core', 'race', 'rules'] },
  unknown: { load: () => import('../pages/Lost.svelte'), areas: ['core', 'hall'] },
};

/** What a page loads only where it is needed, with its texts. */
export const PARTS = {
  /** A session of what is played alone, in the place of a race. */
  solo: { load: () => import('../parts/SoloRoom.svelte'), areas: ['core', 'race', 'room', 'result', 'people', 'review', 'alone', 'almanac'] },
  /** What a race came to: loaded while it runs. */
  result: { load: () => import('../parts/Result.svelte'), areas: ['core', 'race', 'room', 'result', 'review'] },
  /** A race as those who watch see it, and on a big screen. */
  watching: { load: () => import('../parts/Watching.svelte'), areas: ['core', 'race', 'room', 'result', 'review'] },
  projector: { load: () => import('../parts/Projector.svelte'), areas: ['core', 'race', 'room', 'result', 'review'] },
  /** What a host may do, and a room that lets nobody in. */
  host: { load: () => import('../parts/Host.svelte'), areas: ['core', 'race', 'room'] },
  refusal: { load: () => import('../parts/Refusal.svelte'), areas: ['core', 'room'] },
  /** A board as text. */
  textBoard: { load: () => import('../parts/TextBoard.svelte'), areas: ['core', 'race'] },
  /** The figures of a round's analysis. */
  analysis: { load: () => import('../parts/Analysis.svelte'), areas: ['core', 'race', 'review'] },
  /** The way into a room for the others. */
  invitation: { load: () => import('../parts/Invitation.svelte'), areas: ['core', 'room'] },
  /** A link to be photographed. */
  qr: { load: () => import('../parts/QrLink.svelte'), areas: [] },
  /** What this browser keeps. */
  settings: { load: () => import('../parts/Settings.svelte'), areas: ['core', 'settings'] },
} as const satisfies Record<string, Page>;

/** Loads a part, and its texts, before it is needed. Where that fails it is loaded when it is needed. */
export function preload({ load, areas }: Page): void {
  Promise.all([load(), prepare(areas)]).catch(() => undefined);
}

/** What the page of a route is given. */
export function propsOf(route: Route): Record<string, unknown> {
  const { page, ...rest } = route;
  if (page === 'stage' || page === 'lesson') return { number: Object.values(rest)[0] };
  return page === 'watching' ? { ...rest, isWatching: true } : rest;
}
