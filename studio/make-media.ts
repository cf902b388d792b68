/**
 * `npm run media [-- icons teaser portrait]` makes brand/static/ and brand/media/. Film and
 * portrait need ffmpeg with libx264, libsvtav1 and libaom. Results are committed: encoders of other
 * versions give other bytes.
 */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { refuse } from '../scripts/command-line/read-options.ts';
import { makeIcons, makeShareCard, type OutputFile } from '../scripts/pictures/brand-icons.ts';
import { type MadeMedia, NOTE_FILE, noteMedia } from '../server/site/brand/made-media.ts';
import { loadCardStyle } from '../server/site/share/brand-folder.ts';

const BRAND = new URL('../brand/', import.meta.url);
const brandDir = fileURLToPath(BRAND);
const style = await loadCardStyle(brandDir);

/** Film and portrait draw the mask itself, and only this art says what it is like. */
const OBJECT_ART = ['halftone', 'mask-object', 'mask-shape', 'seeded-random', 'war-paint'];

const makers: Record<string, () => Promise<void>> = {
  icons: async () => {
    const files = [...makeIcons(style), await makeShareCard(style, brandDir)];
    await save('icons', 'static/', files);
  },
  teaser: async () => {
    if (lacksArt('teaser', 'a film and posters of your own into brand/media/')) return;
    const { makeTeaser } = await import('./media/teaser/teaser.ts');
    await save('teaser', 'media/', await makeTeaser(style, brandDir));
  },
  portrait: async () => {
    if (lacksArt('portrait', 'a photograph of your own into brand/static/')) return;
    const { makePortrait } = await import('./media/portrait/portrait.ts');
    await save('portrait', 'static/', [await makePortrait(style)]);
  },
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(makers);
const unknown = wanted.filter((name) => !Object.hasOwn(makers, name));
if (unknown.length > 0)
  refuse(`Unknown: ${unknown.join(', ')}. Known: ${Object.keys(makers).join(', ')}.`);

for (const name of wanted) await makers[name]?.();

function lacksArt(media: MadeMedia, instead: string): boolean {
  const lacking = OBJECT_ART.map((name) => `art/${name}.ts`).filter(
    (path) => !existsSync(new URL(path, BRAND)),
  );
  if (lacking.length === 0) return false;
  console.error(
    `The ${media} is drawn from ${lacking.join(', ')}, which this brand does not have: ` +
      `put ${instead}.`,
  );
  process.exitCode = 1;
  return true;
}

async function save(media: MadeMedia, folder: string, files: readonly OutputFile[]) {
  const target = new URL(folder, BRAND);
  await mkdir(target, { recursive: true });
  for (const { name, bytes } of files) {
    await writeFile(new URL(name, target), bytes);
    console.log(`brand/${folder}${name} ${bytes.length} bytes`);
  }
  const notes = noteMedia(media, {
    brand: style.brand,
    brandDir,
    files: files.map(({ name, bytes }) => ({ path: folder + name, bytes })),
  });
  await writeFile(new URL(NOTE_FILE, BRAND), `${JSON.stringify(notes, null, 2)}\n`);
}
