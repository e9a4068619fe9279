import { describe, expect, it } from 'vitest';
import type { Preset } from './protocol';
import { readPasted, readSearch, sayNext, sharePath, shortSeed, whyNoSeed } from './shuffle';

const SEED = '29bc358c4ccaa71baecf5f934a11536a67c3c5ad9d06307b02b6c35179212fd2';

describe('a shared board', () => {
  it('comes out of its link as it went in', () => {
    const shared = { seed: SEED, preset: 'expert' } as const;
    expect(sharePath(shared)).toBe(`/shuffle?seed=${SEED}&preset=expert`);
    expect(readSearch(new URL(sharePath(shared), 'https://spire.example').search)).toEqual(shared);
    expect(readSearch(new URL(sharePath({ seed: '7', preset: null }), 'https://spire.example').search)).toEqual({ seed: '7', preset: null });
    expect(readSearch('?seed=7&preset=nonsense')).toEqual({ seed: '7', preset: null });
    expect(readSearch('')).toEqual({ seed: '', preset: null });
  });

  it('is read as people paste it', () => {
    expect(readPasted(`  https://spire.example/shuffle?seed=${SEED}&preset=initiate `)).toEqual({ seed: SEED, preset: 'initiate' });
    expect(readPasted(`https://spire.example/shuffle/${SEED}`)).toEqual({ seed: SEED, preset: null });
    expect(readPasted(` ${SEED.toUpperCase().slice(0, 32)}\n${SEED.slice(32)} `)).toEqual({ seed: SEED, preset: null });
    expect(readPasted('42')).toEqual({ seed: '42', preset: null });
  });

  it('has a seed of 64 hex digits, or a number that fits', () => {
    expect(['', SEED, '0', '18446744073709551615'].map(whyNoSeed)).toEqual(['', '', '', '']);
    expect(whyNoSeed('18446744073709551616')).toMatch(/below 2\^64/);
    expect(whyNoSeed(SEED.slice(1))).toBe('A seed has 64 hex digits, or is a decimal number below 2^64; this has 63 characters.');
    expect(whyNoSeed('-1')).toMatch(/64 hex digits/);
    expect(shortSeed(SEED)).toBe('29bc358c…2fd2');
    expect(shortSeed('42')).toBe('42');
  });
});

describe('the next board', () => {
  const next = (preset: Preset, isRestored: boolean, isHelped = false): string =>
    sayNext('adaptive', { preset, isRestored, isHelped });

  it('is harder after one that was restored and easier after one that was left, and it is said why', () => {
    expect(next('standard', true)).toBe('Next: Expert, one level harder, as you restored this one.');
    expect(next('standard', false)).toBe('Next: Apprentice, one level easier, as you left this one.');
    expect(next('standard', true, true)).toBe('Next: Standard again, as you were shown the way.');
    expect(next('standard', false, true)).toBe('Next: Apprentice, one level easier, as you left this one.');
  });

  it('stays within the levels that there are, and at the one that was chosen', () => {
    expect(next('spire', true)).toBe('Next: Spire again; only a Marathon is harder, for who chooses it.');
    expect(next('marathon', false)).toBe('Next: Spire, one level easier, as you left this one.');
    expect(next('marathon', true)).toBe('Next: Marathon again; nothing is harder.');
    expect(next('initiate', false)).toBe('Next: Initiate again; nothing is easier.');
    expect(sayNext('master', { preset: 'initiate', isRestored: true, isHelped: false })).toBe('Next: Master, as you chose.');
  });
});
