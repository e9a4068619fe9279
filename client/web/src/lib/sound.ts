// All sounds, made on the spot from waves: no file is loaded for them. Never throws where there is no audio.

import type { Feeling } from './feel';

/** One tone: how high in hertz, from when and how long in seconds, how loud, and what it glides to. */
interface Tone {
  hz: number;
  at?: number;
  s: number;
  loud?: number;
  wave?: OscillatorType;
  to?: number;
}

/** A pentatonic scale, so that whatever is played together fits: size 1 the highest, size 7 the deepest. */
const SCALE = [880, 783.99, 659.26, 587.33, 523.25, 440, 392];

const hzOf = (size: number): number => SCALE[Math.min(7, Math.max(1, size)) - 1] ?? 587.33;

const SOUNDS: Readonly<Record<Feeling, (size: number) => Tone[]>> = {
  // Glass that is taken up.
  lift: (size) => [{ hz: hzOf(size) * 1.5, to: hzOf(size) * 2, s: 0.07, loud: 0.35 }],
  // Glass on glass, with the wood below it.
  place: (size) => [
    { hz: hzOf(size), s: 0.22, loud: 0.6, wave: 'triangle' },
    { hz: hzOf(size) * 2.76, s: 0.09, loud: 0.16 },
    { hz: 130, to: 70, s: 0.06, loud: 0.4 },
  ],
  tower: () => [523.25, 659.26, 783.99].map((hz, index) => ({ hz, at: index * 0.07, s: 0.5, loud: 0.45, wave: 'triangle' })),
  refused: () => [
    { hz: 165, to: 110, s: 0.16, loud: 0.5, wave: 'sawtooth' },
    { hz: 156, to: 104, s: 0.16, loud: 0.35, wave: 'sawtooth' },
  ],
  tick: () => [{ hz: 440, s: 0.09, loud: 0.5, wave: 'triangle' }],
  go: () => [
    { hz: 880, s: 0.4, loud: 0.5, wave: 'triangle' },
    { hz: 1318.5, s: 0.4, loud: 0.25 },
  ],
  other: () => [
    { hz: 659.26, s: 0.3, loud: 0.35, wave: 'triangle' },
    { hz: 493.88, at: 0.14, s: 0.45, loud: 0.35, wave: 'triangle' },
  ],
  last: () => [{ hz: 1046.5, s: 0.05, loud: 0.22 }, { hz: 98, to: 70, s: 0.12, loud: 0.5 }],
  harmony: () => [
    ...[392, 523.25, 659.26, 783.99, 1046.5].map((hz, index): Tone => ({ hz, at: index * 0.09, s: 0.7, loud: 0.4, wave: 'triangle' })),
    ...[523.25, 659.26, 783.99, 1318.5].map((hz): Tone => ({ hz, at: 0.5, s: 1.6, loud: 0.22 })),
  ],
};

let context: AudioContext | null = null;
let isSilent = false;

/** Plays a sound, `volume` from 0 to 1. To be called after a gesture. */
export function sound(what: Feeling, size: number, volume: number): void {
  if (isSilent) return;
  try {
    context ??= new AudioContext({ latencyHint: 'interactive' });
    if (context.state === 'suspended') void context.resume().catch(() => undefined);
    for (const tone of SOUNDS[what](size)) play(context, tone, volume);
  } catch {
    // A device without audio, or one that has no voice left.
    isSilent = true;
  }
}

function play(audio: AudioContext, { hz, at = 0, s, loud = 0.4, wave = 'sine', to }: Tone, volume: number): void {
  const [from, voice, gain] = [audio.currentTime + at, audio.createOscillator(), audio.createGain()];
  voice.type = wave;
  voice.frequency.setValueAtTime(hz, from);
  if (to !== undefined) voice.frequency.exponentialRampToValueAtTime(to, from + s);
  // A jump in loudness is a click.
  gain.gain.setValueAtTime(0.0001, from);
  gain.gain.exponentialRampToValueAtTime(Math.max(0.0002, loud * volume * 0.4), from + 0.006);
  gain.gain.exponentialRampToValueAtTime(0.0001, from + s);
  voice.connect(gain).connect(audio.destination);
  voice.start(from);
  voice.stop(from + s + 0.02);
}
