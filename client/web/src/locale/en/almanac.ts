// The almanac and the lessons. The server speaks English, so English takes its words; another language has its own by
// number, and a missing one does not compile.

/** The stages of the almanac. */
// prettier-ignore
export type StageNumber =
  | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10
  | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20
  | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | 29 | 30
  | 31 | 32 | 33 | 34 | 35 | 36 | 37 | 38 | 39 | 40
  | 41 | 42 | 43 | 44 | 45 | 46 | 47 | 48 | 49 | 50;

/** The chapters of the almanac, as the server calls them. */
export type ChapterName =
  | 'Novice Apprentice'
  | 'Lamplit Journeyman'
  | 'Cascade Adept'
  | 'Keeper of Orreries'
  | 'Meridian Artificer'
  | 'Zenith Technomancer'
  | 'Grandmaster Spire';

/** What a stage is called, and what it teaches or tests. */
export interface StageText {
  name: string;
  idea: string;
}

/** What a lesson is called, what it teaches, and what its coach says at each step. */
export interface LessonText<Steps extends readonly string[] = readonly string[]> {
  name: string;
  teaches: string;
  steps: Steps;
}

/** The lessons, each with as many steps as it has. */
export interface LessonTexts {
  1: LessonText<readonly [string, string]>;
  2: LessonText<readonly [string, string]>;
  3: LessonText<readonly [string, string]>;
  4: LessonText<readonly [string, string]>;
  5: LessonText<readonly [string, string, string]>;
  6: LessonText<readonly [string, string]>;
  7: LessonText<readonly [string]>;
}

export default {
  /** A chapter, from its English name. */
  chapter: (name: string): string => name,
  /** A stage, from its number and what the server says of it. */
  stage: (_number: number, said: StageText): StageText => said,
  /** The same of a lesson of which only the name is known, and what it teaches. */
  lessonName: (_number: number, said: StageText): StageText => said,
  /** A lesson, from its number and what the server says of it. */
  lesson: (_number: number, said: LessonText): LessonText => said,
};
