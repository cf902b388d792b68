/** `npm run media` notes the inputs of what it makes (decision 0009). */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Brand } from '../../../brand/brand-shape.ts';
import { StartupError } from '../../startup-error.ts';
import { COLOURS, FONTS, readToken } from './token-rules.ts';

const MADE_MEDIA = {
  icons: ['icons', 'web manifest', 'share card'],
  teaser: ['teaser'],
  portrait: ['portrait'],
} as const;
export type MadeMedia = keyof typeof MADE_MEDIA;

const WORDS = new Intl.ListFormat('en-GB');

export const NOTE_FILE = 'made-media.json';

type Note = { readonly inputs: string; readonly files: Readonly<Record<string, string>> };

type Notes = { readonly [Media in MadeMedia]?: Note };

export function describeOldMedia(brand: Brand, brandDir: string): string | null {
  const notes = readNotes(brandDir);
  const old = (Object.keys(MADE_MEDIA) as MadeMedia[]).filter((media) => {
    const note = notes[media];
    const isNew = note === undefined || note.inputs === hashInputs(media, brand, brandDir);
    return !isNew && hasUntouched(note, brandDir);
  });
  if (old.length === 0) return null;
  const names = WORDS.format(old.flatMap((media) => MADE_MEDIA[media]));
  const command = `npm run media -- ${old.join(' ')}`;
  return (
    `The ${names} in brand/ were made before the brand changed: ` +
    `run ${command}, or put files of your own in their place.`
  );
}

type Made = {
  readonly brand: Brand;
  readonly brandDir: string;
  readonly files: readonly { path: string; bytes: Uint8Array }[];
};

export function noteMedia(media: MadeMedia, { brand, brandDir, files }: Made): Notes {
  const hashes = files.map(({ path, bytes }) => [path, hashOf(bytes)]);
  const note = { inputs: hashInputs(media, brand, brandDir), files: Object.fromEntries(hashes) };
  return { ...readNotes(brandDir), [media]: note };
}

function hasUntouched({ files }: Note, brandDir: string): boolean {
  return Object.entries(files).some(([path, hash]) => {
    const file = join(brandDir, path);
    return existsSync(file) && hashOf(readFileSync(file)) === hash;
  });
}

function readNotes(brandDir: string): Notes {
  const path = join(brandDir, NOTE_FILE);
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Notes;
  } catch (error) {
    throw new StartupError(
      `${path} is not JSON, as after a merge with conflicts: delete it, and run npm run media.`,
      { cause: error },
    );
  }
}

function hashInputs(media: MadeMedia, brand: Brand, brandDir: string): string {
  const { name, language, copy, sizes, maskCount, links } = brand;
  const words = {
    icons: [name, language, copy.landingDescription, copy.headline, sizes.map((size) => size.name)],
    teaser: [name, links.privacy],
    portrait: [],
  };
  const css = readFileSync(join(brandDir, 'tokens.css'), 'utf8');
  const tokens = [...COLOURS, ...FONTS].map((token) => readToken(css, token));
  const hash = createHash('sha256').update(JSON.stringify([words[media], maskCount, tokens]));
  for (const path of ['fonts.css', ...filesIn(brandDir, 'fonts'), ...filesIn(brandDir, 'art')])
    hash.update(`\0${path}\0`).update(readFileSync(join(brandDir, path)));
  return hash.digest('base64url').slice(0, 22);
}

function filesIn(brandDir: string, folder: string): string[] {
  if (!existsSync(join(brandDir, folder))) return [];
  const names = readdirSync(join(brandDir, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.(ts|woff2)$/.test(name) && !/\.test\.ts$/.test(name))
    .sort()
    .map((name) => `${folder}/${name}`);
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}
