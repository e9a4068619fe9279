// What the page says, by area: a page loads those that it needs, in the language that is spoken. English is the form
// that every other language fills; `de/*.ts` do not compile where a text is missing or takes other arguments.

/** All texts, by area. A text is a string, or a function of what it speaks about. */
export interface Catalogue {
  /** What every page says: head, errors, names of presets and options. */
  core: typeof import('./en/core').default;
  /** What a visitor chooses for this browser. */
  settings: typeof import('./en/settings').default;
  /** A board and who plays on it. */
  race: typeof import('./en/race').default;
  /** Start page, quick match, what can be watched, and what leads nowhere. */
  hall: typeof import('./en/hall').default;
  /** A room before and during a race. */
  room: typeof import('./en/room').default;
  /** What a race came to, and a race as those who watch see it. */
  result: typeof import('./en/result').default;
  /** How far a board is from harmony, and a round's analysis. */
  review: typeof import('./en/review').default;
  /** Players, leaderboards, stored rounds, replays. */
  people: typeof import('./en/people').default;
  /** What is played alone. */
  alone: typeof import('./en/alone').default;
  /** The names and ideas of stages, and the steps of lessons. */
  almanac: typeof import('./en/almanac').default;
  /** Rules and story. */
  rules: typeof import('./en/rules').default;
  /** The classic tower. */
  hanoi: typeof import('./en/hanoi').default;
}

/** One of them. */
export type Area = keyof Catalogue;

/** The languages that are complete, each by its own name. */
export const LOCALES = { en: 'English', de: 'Deutsch' } as const;

/** One of them, as BCP 47 has it. */
export type Locale = keyof typeof LOCALES;
