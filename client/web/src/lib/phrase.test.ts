import { expect, it } from 'vitest';
import { piecesOf } from './phrase';

it('is text and named parts in order', () => {
  expect(piecesOf('Read <rules>the rules</rules> first, <b>now</b>')).toEqual([
    { name: null, text: 'Read ' },
    { name: 'rules', text: 'the rules' },
    { name: null, text: ' first, ' },
    { name: 'b', text: 'now' },
  ]);
});

it('keeps what is no whole part, and knows empty ones', () => {
  expect(piecesOf('1 < 2 <a>open')).toEqual([{ name: null, text: '1 < 2 <a>open' }]);
  expect(piecesOf('<key></key>')).toEqual([{ name: 'key', text: '' }]);
  expect(piecesOf('')).toEqual([]);
});
