import { describe, expect, it } from 'vitest';
import { normalCode, routeOf } from './route';

describe('addresses', () => {
  it('lead to the pages that exist', () => {
    expect(routeOf('/')).toEqual({ page: 'start' });
    expect(routeOf('/r/ab-0ic/')).toEqual({ page: 'room', code: 'AB01C' });
    expect(routeOf('/m/0190a000')).toEqual({ page: 'match', roundId: '0190a000' });
    expect(routeOf('/p/0190b000')).toEqual({ page: 'player', playerId: '0190b000' });
    expect(routeOf('/leaderboard')).toEqual({ page: 'leaderboard' });
    expect(routeOf('/leaderboard?board=fastest&preset=expert')).toEqual({ page: 'leaderboard' });
    expect(routeOf('/me')).toEqual({ page: 'account' });
    expect(routeOf('/link')).toEqual({ page: 'link' });
    expect(routeOf('/me/too')).toEqual({ page: 'unknown' });
    expect(routeOf('/quick?seats=2&preset=standard')).toEqual({ page: 'quick' });
    expect(routeOf('/hanoi?disks=64&at=7')).toEqual({ page: 'hanoi' });
    expect(routeOf('/hanoi/7')).toEqual({ page: 'unknown' });
    expect(routeOf('/watch')).toEqual({ page: 'watch' });
    expect(routeOf('/watch/7kqmol')).toEqual({ page: 'watching', code: '7KQM01' });
    expect(routeOf('/m/0190a000?t=12.3')).toEqual({ page: 'match', roundId: '0190a000' });
    expect(routeOf('/r/ab%20c')).toEqual({ page: 'room', code: 'ABC' });
    expect(routeOf('/r/%E0%A4%A')).toEqual({ page: 'room', code: '%E0%A4%A' });
    expect(routeOf('/watch/%')).toEqual({ page: 'watching', code: '%' });
    expect(routeOf('/r')).toEqual({ page: 'unknown' });
    expect(routeOf('/r/ABC/more')).toEqual({ page: 'unknown' });
  });

  it('lead to what is played alone', () => {
    expect(routeOf('/campaign')).toEqual({ page: 'campaign' });
    expect(routeOf('/campaign/12')).toEqual({ page: 'stage', stage: 12 });
    expect(routeOf('/campaign/12/')).toEqual({ page: 'stage', stage: 12 });
    expect(routeOf('/campaign/0')).toEqual({ page: 'unknown' });
    expect(routeOf('/campaign/1e1')).toEqual({ page: 'unknown' });
    expect(routeOf('/campaign/12/more')).toEqual({ page: 'unknown' });
    expect(routeOf('/tutorial')).toEqual({ page: 'tutorial' });
    expect(routeOf('/tutorial/7')).toEqual({ page: 'lesson', lesson: 7 });
    expect(routeOf('/shuffle')).toEqual({ page: 'shuffle', seed: null });
    expect(routeOf('/shuffle/42')).toEqual({ page: 'shuffle', seed: '42' });
    expect(routeOf('/daily')).toEqual({ page: 'daily', day: null });
    expect(routeOf('/daily/2026-11-30')).toEqual({ page: 'daily', day: '2026-11-30' });
    expect(routeOf('/offline')).toEqual({ page: 'offline', board: null });
    expect(routeOf('/offline/stage-12')).toEqual({ page: 'offline', board: 'stage-12' });
    expect(routeOf('/rules')).toEqual({ page: 'rules' });
    expect(routeOf('/rules/more')).toEqual({ page: 'unknown' });
  });

  it('hold codes as people type or paste them', () => {
    expect(normalCode(' 7kq-mol ')).toBe('7KQM01');
    expect(normalCode('https://spire.example/r/7KQM01?x')).toBe('7KQM01');
    expect(normalCode('https://spire.example/watch/7KQM01')).toBe('7KQM01');
  });
});
