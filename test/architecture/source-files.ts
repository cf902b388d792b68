/** The source tree for the architecture tests: every file with its imports. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export type SourceFile = {
  readonly path: string;
  readonly text: string;
  /** Paths of imported files of the repository, relative to its root. */
  readonly localImports: readonly string[];
  /** Names of imported packages and Node modules. */
  readonly packageImports: readonly string[];
  /** `localImports` that are not types alone, and so remain at run time. */
  readonly runtimeImports: readonly string[];
};

const IMPORT =
  /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/gm;

/** Every TypeScript file that git knows or would add, tests included. */
export function readSourceFiles(): SourceFile[] {
  return readTexts(['*.ts', '*.tsx']).map(({ path, text }) => readSource(path, text));
}

/** Files that git knows or would add, by git's patterns. Throws when one finds nothing. */
export function readTexts(patterns: readonly string[]): { path: string; text: string }[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const paths = patterns.flatMap((pattern) => {
    const found = execFileSync('git', [...list, pattern], { encoding: 'utf8' }).split('\0');
    if (found.length < 2) throw new Error(`No file is ${pattern}.`);
    return found.filter(Boolean);
  });
  return [...new Set(paths)].flatMap((path) => {
    const text = readIfPresent(path);
    return text === null ? [] : [{ path, text }];
  });
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function readSource(path: string, text: string): SourceFile {
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
