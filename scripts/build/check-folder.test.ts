import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StartupError } from '../../server/startup-error.ts';
import { checkBrandFolder } from './check-folder.ts';

const secondBrand = fileURLToPath(new URL('../../test/fixtures/second-brand', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'check-folder-'));
  cpSync(secondBrand, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(join(folder, file), 'utf8');
  expect(text).toContain(from);
  writeFileSync(join(folder, file), text.replace(from, to));
}

test('a folder that is complete and right passes', async () => {
  await expect(checkBrandFolder(folder)).resolves.toBeUndefined();
});

test('all faults of words, numbers, colours and files are reported, a sentence each', async () => {
  edit('brand.ts', 'stock: 24', 'stock: -24');
  edit('tokens.css', '--fog: #5a5346', '--fog: grey');
  rmSync(join(folder, 'media/teaser-wide.mp4'));
  appendFileSync(join(folder, 'fonts.css'), 'src: url("./fonts/mono.woff2") format("woff2");');
  await expect(checkBrandFolder(folder)).rejects.toThrow(
    new StartupError(
      [
        `media/teaser-wide.mp4 is missing in ${folder}.`,
        `fonts/mono.woff2 is missing in ${folder}.`,
        'brand.ts: sizes[0].stock must be a whole number from 0 to 1000000, not -24.',
        'tokens.css: --fog must be a colour of the form #rrggbb, not grey.',
      ].join('\n'),
    ),
  );
});

test('a brand file that is no program is reported in one line', async () => {
  edit('brand.ts', "name: 'Paper Fox',", 'name: Paper Fox,');
  await expect(checkBrandFolder(folder)).rejects.toThrow(/^brand\.ts cannot be read: [^\n]+$/);
});
