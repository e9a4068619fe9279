// QR codes that the page makes itself, for links that are no secret. Loaded only where one is shown.

import { encode } from 'uqr';

/** The modules of the code of a text, row by row: `1` for each dark one, without the quiet zone. */
export function rowsOf(text: string): string[] {
  const { data } = encode(text, { ecc: 'M', border: 0 });
  return data.map((row) => row.map((isDark) => (isDark ? '1' : '0')).join(''));
}
