import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const folder = new URL('./static/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('manifest.webmanifest', folder), 'utf8'));

describe('the files of the site root', () => {
  test('hold every icon of the manifest', () => {
    const present = readdirSync(folder);
    expect(manifest.icons.length).toBeGreaterThan(2);
    for (const { src } of manifest.icons) expect(present).toContain(src.slice(1));
  });

  test('have a share card that chat apps accept: a JPEG of 1200 x 630 under 100 kB', () => {
    const card = readFileSync(new URL('og.jpg', folder));
    expect(statSync(new URL('og.jpg', folder)).size).toBeLessThan(100_000);
    const frame = card.indexOf(Buffer.from([0xff, 0xc0]));
    expect([card.readUInt16BE(frame + 7), card.readUInt16BE(frame + 5)]).toEqual([1200, 630]);
  });
});
