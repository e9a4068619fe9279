import { afterEach, describe, expect, it } from 'vitest';
import almanac from '../../../../shared/data/almanac.txt?raw';
import tutorial from '../../../../shared/src/lesson.rs?raw';
import { LOCALES, type Locale } from '../locale/areas';
import { lessonSaid, stageSaid } from './almanac';
import { speak, words } from './locale.svelte';
import type { LessonInfo, StageInfo } from './protocol';

const OTHERS = Object.keys(LOCALES).filter((locale) => locale !== 'en') as Locale[];

/** The stages as the server reads them. */
const STAGES = [...almanac.matchAll(/^(\d+) (.+)\nidea (.+)$/gm)].map(([, number, name, idea]) => ({
  stage: Number(number),
  name: name ?? '',
  idea: idea ?? '',
}));

const CHAPTERS = [...almanac.matchAll(/^chapter (.+)$/gm)].map(([, name]) => name ?? '');

/** How many steps each lesson has, as the server has them. */
const STEPS = (/const TEXTS[^]*?\n\];/.exec(tutorial)?.[0] ?? '')
  .split(/\bText \{/)
  .slice(1)
  .map((text) => [...text.matchAll(/\bsay:/g)].length);

function lesson(number: number): LessonInfo {
  const steps = Array.from({ length: STEPS[number - 1] ?? 0 }, (_, index) => ({ say: `step ${index + 1}`, goal: { goal: 'emptied' } as const }));
  return { lesson: number, name: 'as the server says', teaches: 'as the server says', board: 'R1/- 7', optimum: 1, steps };
}

afterEach(() => speak('en'));

describe('the almanac', () => {
  it('is read whole: fifty stages, seven chapters, seven lessons', () => {
    expect(STAGES.map(({ stage }) => stage)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(CHAPTERS).toHaveLength(7);
    expect(STEPS).toHaveLength(7);
  });

  it('has the server’s own words in English', () => {
    const [first] = STAGES;
    if (first === undefined) throw new Error('there is no stage');
    expect(words('almanac').stage(1, first)).toBe(first);
    expect(words('almanac').chapter('Cascade Adept')).toBe('Cascade Adept');
    expect(lessonSaid(lesson(1))).toEqual(lesson(1));
  });

  it.each(OTHERS)('has exactly the server’s stages and chapters in %s, each in words of its own', async (locale) => {
    await speak(locale);
    const said = STAGES.map((stage) => words('almanac').stage(stage.stage, stage));
    expect(STAGES.filter((stage, index) => said[index]?.name === stage.name || said[index]?.idea === stage.idea)).toEqual([]);
    expect(new Set(said.flatMap(({ name, idea }) => [name, idea])).size).toBe(100);
    const chapters = CHAPTERS.map((name) => words('almanac').chapter(name));
    expect(chapters.filter((name) => CHAPTERS.includes(name))).toEqual([]);
    expect(new Set(chapters).size).toBe(7);
  });

  it.each(OTHERS)('has exactly the server’s lessons in %s, step by step', async (locale) => {
    await speak(locale);
    const said = STEPS.map((_, index) => lessonSaid(lesson(index + 1)));
    expect(said.map(({ steps }) => steps.length)).toEqual(STEPS);
    const texts = said.flatMap(({ name, teaches, steps }) => [name, teaches, ...steps.map(({ say }) => say)]);
    expect(texts.filter((text) => text.startsWith('step ') || text === 'as the server says')).toEqual([]);
    expect(new Set(texts).size).toBe(texts.length);
    // Of a lesson that is only listed the name and the sentence are the same.
    const named = STEPS.map((_, index) => words('almanac').lessonName(index + 1, { name: '', idea: '' }));
    expect(named).toEqual(said.map(({ name, teaches }) => ({ name, idea: teaches })));
  });

  it.each(OTHERS)('says what is newer than the page in %s as the server does', async (locale) => {
    await speak(locale);
    const stage = { stage: 51, chapter: 'Beyond', name: 'Another', idea: 'More.' } as StageInfo;
    expect(stageSaid(stage)).toEqual(stage);
    // A lesson that has grown a step is not half told.
    const grown = { ...lesson(1), steps: [...lesson(1).steps, ...lesson(2).steps] };
    expect(lessonSaid(grown)).toEqual(grown);
  });
});
