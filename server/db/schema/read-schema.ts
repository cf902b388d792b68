import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type Change = { readonly name: string; readonly sql: string; readonly hash: string };

export type FunctionSet = {
  /** The number of its hash in history.txt: a later set has a higher one. */
  readonly version: number;
  readonly hash: string;
  readonly sql: string;
  readonly names: readonly string[];
};

/** The baseline merges 25 changes, of which this is the last. */
export const LAST_MERGED = '0031-live';
export const MERGED_CHANGES = 25;
export const BASELINE = '0031-baseline';

export function isMerged(change: string): boolean {
  return change !== BASELINE && change <= LAST_MERGED;
}

export type Schema = {
  readonly changes: readonly Change[];
  readonly functions: FunctionSet;
  /** Each change and each set of functions that ever was on main: a name and its hash. */
  readonly history: readonly string[];
};

const FOLDER = new URL('./', import.meta.url);
let own: Schema | undefined;

/** Reads the files once. */
export function readSchema(): Schema {
  if (own === undefined) {
    const history = readText('history.txt').trimEnd().split('\n');
    own = { ...schemaOf(readTexts(), history), history };
  }
  return own;
}

/** `texts` are the SQL files by their path from the folder of the schema. */
export function schemaOf(
  texts: ReadonlyMap<string, string>,
  history: readonly string[],
): Omit<Schema, 'history'> {
  const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1));
  const inFolder = (folder: string) => sorted.filter(([path]) => path.startsWith(folder));
  const types = inFolder('functions/row-types/');
  const functions = [...types, ...inFolder('functions/').filter((file) => !types.includes(file))];
  return {
    changes: inFolder('changes/').map(([path, sql]) => {
      return { name: path.slice('changes/'.length, -'.sql'.length), sql, hash: hashOf(sql) };
    }),
    functions: functionSet(
      functions.map(([, sql]) => sql),
      history,
    ),
  };
}

/** Functions that are not in the history yet are newer than all that are. */
export function functionSet(files: readonly string[], history: readonly string[]): FunctionSet {
  const sql = files.join('\n');
  const hash = hashOf(sql);
  const released = history.filter((line) => line.startsWith('functions '));
  const names = sql.matchAll(/^create (?:or replace function|type) (\w+)/gm);
  return {
    version: released.lastIndexOf(`functions ${hash}`) + 1 || released.length + 1,
    sql,
    hash,
    names: [...new Set(Array.from(names, ([, name = '']) => name))],
  };
}

function readTexts(): Map<string, string> {
  const paths = readdirSync(fileURLToPath(FOLDER), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.sql'));
  return new Map(paths.map((path) => [path, readText(path)]));
}

/** The hash must not depend on line ends. */
function readText(file: string): string {
  return readFileSync(new URL(file, FOLDER), 'utf8').replaceAll('\r\n', '\n');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
