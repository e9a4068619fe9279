// The clock of a replay: where it stands, how fast it runs, whether it runs. Knows nothing of what is played.

/** How many times as fast as it was raced. */
export const SPEEDS: readonly number[] = [0.25, 0.5, 1, 2, 4, 8];

/** A clock from 0 to a length in milliseconds. It runs only inside a component, and stops with it. */
export class Playback {
  ms = $state(0);
  speed = $state(1);
  isPlaying = $state(false);
  readonly #length: () => number;

  constructor(length: () => number, startMs = 0) {
    this.#length = length;
    this.ms = Math.min(startMs, length());
    $effect(() => (this.isPlaying ? this.#run() : undefined));
  }

  /** Where it ends. */
  get length(): number {
    return this.#length();
  }

  /** Plays, from the start again where it has come to its end; or pauses. */
  toggle(): void {
    if (!this.isPlaying && this.ms >= this.length) this.ms = 0;
    this.isPlaying = !this.isPlaying;
  }

  /** Stands still at an instant. */
  seek(ms: number): void {
    this.isPlaying = false;
    this.ms = Math.min(Math.max(0, ms), this.length);
  }

  /** The next speed up or down. */
  shift(direction: 1 | -1): void {
    const at = SPEEDS.indexOf(this.speed) + direction;
    this.speed = SPEEDS[at] ?? this.speed;
  }

  #run(): () => void {
    let last = performance.now();
    let frame = requestAnimationFrame(function tick(this: Playback, now: number) {
      this.ms = Math.min(this.length, this.ms + Math.max(0, now - last) * this.speed);
      last = now;
      if (this.ms >= this.length) this.isPlaying = false;
      else frame = requestAnimationFrame(tick.bind(this));
    }.bind(this));
    return () => cancelAnimationFrame(frame);
  }
}
