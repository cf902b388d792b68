/** The files of the repository, listed, read and parsed once for all tests of this folder. */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export type TextFile = { readonly path: string; readonly text: string };

export type SourceFile = TextFile & {
  /** Paths of imported files of the repository, relative to its root. */
  readonly localImports: readonly string[];
  /** Names of imported packages and Node modules. */
  readonly packageImports: readonly string[];
  /** `localImports` that are not types alone, and so remain at run time. */
  readonly runtimeImports: readonly string[];
};

const LIST = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
const IMPORT =
  /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/gm;
const texts = new Map<string, string>();

/** Files that git knows or would add, and that are there. */
export const PATHS: readonly string[] = execFileSync('git', LIST, { encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && statSync(path, { throwIfNoEntry: false })?.isFile());

/** Every TypeScript file, tests included. */
export const SOURCES: readonly SourceFile[] = readTexts(/\.tsx?$/).map(parseImports);

/** Throws when no path matches. */
export function readTexts(wanted: RegExp): TextFile[] {
  const found = PATHS.filter((path) => wanted.test(path));
  if (found.length === 0) throw new Error(`No file is ${wanted}.`);
  return found.map((path) => {
    const text = texts.get(path) ?? readFileSync(path, 'utf8');
    texts.set(path, text);
    return { path, text };
  });
}

function parseImports({ path, text }: TextFile): SourceFile {
  const imports = [...text.matchAll(IMPORT)].map(([, typeOnly, name, dynamicName]) => ({
    isTypeOnly: typeOnly !== undefined,
    name: (name ?? dynamicName ?? '').replace(/\?.*$/, ''),
  }));
  const local = imports
    .filter(({ name }) => name.startsWith('.'))
    .map(({ name, isTypeOnly }) => ({ path: normalize(join(dirname(path), name)), isTypeOnly }));
  return {
    path,
    text,
    localImports: local.map((one) => one.path),
    runtimeImports: local.filter((one) => !one.isTypeOnly).map((one) => one.path),
    packageImports: imports.filter(({ name }) => !name.startsWith('.')).map(({ name }) => name),
  };
}
