// The almanac and the lessons in the language that is spoken: the server's figures, the catalogue's words.

import { alone } from './alone.svelte';
import { words } from './locale.svelte';
import type { LessonInfo, StageInfo } from './protocol';

/** A stage as it is called here. */
export function stageSaid(stage: StageInfo): StageInfo {
  const { stage: number, chapter, name, idea } = stage;
  const t = words('almanac');
  return { ...stage, chapter: t.chapter(chapter), ...t.stage(number, { name, idea }) };
}

/** A lesson as it is called here, its steps included. */
export function lessonSaid(lesson: LessonInfo): LessonInfo {
  const { lesson: number, name, teaches, steps } = lesson;
  const said = words('almanac').lesson(number, { name, teaches, steps: steps.map(({ say }) => say) });
  return {
    ...lesson,
    name: said.name,
    teaches: said.teaches,
    steps: steps.map((step, index) => ({ ...step, say: said.steps[index] ?? step.say })),
  };
}

/** All stages in order; `null` until they are known. */
export function stagesSaid(): readonly StageInfo[] | null {
  return alone.stages?.map(stageSaid) ?? null;
}

/** All lessons in order; `null` until they are known. */
export function lessonsSaid(): readonly LessonInfo[] | null {
  return alone.lessons?.map(lessonSaid) ?? null;
}

/** The stage of that number. */
export function stageAt(number: number): StageInfo | undefined {
  const found = alone.stages?.find(({ stage }) => stage === number);
  return found === undefined ? undefined : stageSaid(found);
}

/** The lesson of that number. */
export function lessonAt(number: number): LessonInfo | undefined {
  const found = alone.lessons?.find(({ lesson }) => lesson === number);
  return found === undefined ? undefined : lessonSaid(found);
}
