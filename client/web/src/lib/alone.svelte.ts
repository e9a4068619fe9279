// What is played alone, as several pages need it: the almanac, the lessons, and how far this browser's player has come.

import { campaign, soloProgress, tutorial } from './api/solo';
import type { LessonInfo, Progress, StageInfo } from './protocol';

/** Asked once a visit, as none of it changes but the progress, which is asked whenever a page needs it. */
class Alone {
  /** All stages in order; `null` until they are known. */
  stages = $state.raw<readonly StageInfo[] | null>(null);
  /** All lessons in order; `null` until they are known. */
  lessons = $state.raw<readonly LessonInfo[] | null>(null);
  /** The own progress; `null` without a player, or until it is known. */
  progress = $state.raw<Progress | null>(null);
  /** What was caught where something of this cannot be shown; `null` if all can. */
  failure = $state.raw<unknown>(null);

  /** Asks for the almanac, once. */
  async findStages(): Promise<void> {
    if (this.stages !== null) return;
    await this.#ask(campaign(), ({ stages }) => (this.stages = stages));
  }

  /** Asks for the lessons, once. */
  async findLessons(): Promise<void> {
    if (this.lessons !== null) return;
    await this.#ask(tutorial(), ({ lessons }) => (this.lessons = lessons));
  }

  /** Asks for the progress of the player of that token, and forgets another one's. */
  async findProgress(token: string | null): Promise<void> {
    if (token !== this.#token) this.progress = null;
    this.#token = token;
    if (token === null) return;
    await this.#ask(soloProgress(token), (progress) => {
      if (token === this.#token) this.progress = progress;
    });
  }

  #token: string | null = null;

  async #ask<T>(call: Promise<T>, take: (answer: T) => void): Promise<void> {
    try {
      take(await call);
      this.failure = null;
    } catch (failure) {
      this.failure = failure;
    }
  }
}

/** Shared by all parts of the page. */
export const alone = new Alone();
