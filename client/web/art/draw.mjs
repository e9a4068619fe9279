// Makes the page's bitmaps of their SVG sources: `node art/draw.mjs`, in client/web, with Debian's Chromium.

import { readFileSync, writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const font = readFileSync('node_modules/@fontsource/cinzel/files/cinzel-latin-600-normal.woff2').toString('base64');
const style = `@font-face { font-family: Cinzel; src: url(data:font/woff2;base64,${font}) } body { margin: 0 } svg { display: block }`;

/** Each bitmap: its source, its width and height in pixels, and whether it may be seen through. */
const BITMAPS = [
  ['preview.png', 'art/preview.svg', 1200, 630, false],
  ['icon-192.png', 'public/icon.svg', 192, 192, true],
  ['icon-512.png', 'public/icon.svg', 512, 512, true],
  ['icon-maskable-512.png', 'art/icon-maskable.svg', 512, 512, false],
  ['apple-touch-icon.png', 'art/icon-maskable.svg', 180, 180, false],
];

/** What Chromium reads in a PNG: four bytes a pixel. */
async function pixelsOf(png) {
  const read = async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    return [...canvas.getImageData(0, 0, image.width, image.height).data];
  };
  return page.evaluate(read, png.toString('base64'));
}

/** A PNG of the 256 most frequent colours; the others, which smooth edges have, become the nearest of them. */
function indexed(pixels, width, height) {
  const counts = new Map();
  const colours = Array.from({ length: width * height }, (_, at) => (pixels[4 * at] << 16) | (pixels[4 * at + 1] << 8) | pixels[4 * at + 2]);
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts].sort(([, a], [, b]) => b - a).slice(0, 256).map(([colour]) => colour);
  const apart = (a, b) => [16, 8, 0].reduce((sum, shift) => sum + (((a >> shift) & 255) - ((b >> shift) & 255)) ** 2, 0);
  const nearest = (colour) => palette.reduce((best, one, at) => (apart(one, colour) < apart(palette[best], colour) ? at : best), 0);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(colour)]));
  const rows = Buffer.alloc(height * (width + 1));
  colours.forEach((colour, at) => (rows[at + Math.floor(at / width) + 1] = places.get(colour)));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3], 8);
  const parts = { IHDR: head, PLTE: Buffer.from(palette.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255])), IDAT: deflateSync(rows, { level: 9 }), IEND: Buffer.alloc(0) };
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...Object.entries(parts).map(([name, data]) => chunk(name, data))]);
}

/** A part of a PNG: its length, its name, its content, and their checksum. */
function chunk(name, data) {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage();
for (const [name, source, width, height, isClear] of BITMAPS) {
  await page.setViewportSize({ width, height });
  const svg = readFileSync(source, 'utf8').replace('<svg ', `<svg width="${width}" height="${height}" `);
  await page.setContent(`<style>${style}</style>${svg}`);
  await page.evaluate('document.fonts.ready');
  const shot = await page.screenshot({ omitBackground: isClear });
  const bitmap = isClear ? shot : indexed(await pixelsOf(shot), width, height);
  writeFileSync(`public/${name}`, bitmap);
  console.log(`${name}: ${bitmap.length} bytes`);
}
await browser.close();
