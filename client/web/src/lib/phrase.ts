// Texts with named parts: `Read <rules>the rules</rules> first.` A part may be empty, `<key></key>`, and none holds another.

/** A piece of a text; `name` is that of its part, or `null` outside all parts. */
export interface Piece {
  name: string | null;
  text: string;
}

/** The pieces of a text in order. What is no whole part stays as it is written. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of text.matchAll(/<(\w+)>(.*?)<\/\1>/gs)) {
    if (found.index > end) pieces.push({ name: null, text: text.slice(end, found.index) });
    pieces.push({ name: found[1] ?? '', text: found[2] ?? '' });
    end = found.index + found[0].length;
  }
  if (end < text.length) pieces.push({ name: null, text: text.slice(end) });
  return pieces;
}
