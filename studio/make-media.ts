/**
 * `npm run media [-- icons soundtrack teaser]` makes the files of brand/static/ and brand/media/.
 *
 * - icons: icons, web manifest and share card, drawn by Chromium from the brand's art and tokens.
 * - soundtrack: rendered from the score in media/soundtrack/, as AAC and Opus, and its envelope.
 * - teaser: both cuts of the film with their posters, rendered frame by frame.
 *
 * Needs Chromium (see scripts/chromium.ts) and the system's ffmpeg with libx264, libsvtav1, libaom
 * and libopus. What is rendered is committed: encoders of other versions give other bytes.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { makeIcons } from './media/icons.ts';
import type { OutputFile } from './media/output-file.ts';
import { makeShareCard } from './media/share-card.ts';
import { makeSoundtrack } from './media/soundtrack/soundtrack.ts';
import { openStills, type Stills } from './media/stills.ts';
import { makeTeaser } from './media/teaser/teaser.ts';

const makers: Record<string, (stills: Stills) => Promise<void>> = {
  icons: async (stills) =>
    save('brand/static/', [...(await makeIcons(stills)), await makeShareCard(stills)]),
  soundtrack: async () => save('brand/media/', await makeSoundtrack()),
  teaser: async (stills) => save('brand/media/', await makeTeaser(stills)),
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(makers);
const unknown = wanted.filter((name) => !(name in makers));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Known: ${Object.keys(makers).join(', ')}.`);
  process.exit(2);
}

const stills = await openStills();
try {
  for (const name of wanted) await makers[name]?.(stills);
} finally {
  await stills.close();
}

async function save(folder: string, files: readonly OutputFile[]): Promise<void> {
  const target = new URL(`../${folder}`, import.meta.url);
  await mkdir(target, { recursive: true });
  for (const { name, bytes } of files) {
    await writeFile(new URL(name, target), bytes);
    console.log(`${folder}${name} ${bytes.length} bytes`);
  }
}
