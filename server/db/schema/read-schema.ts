import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type Change = { readonly name: string; readonly sql: string; readonly hash: string };

export type FunctionSet = {
  readonly version: number;
  readonly hash: string;
  readonly sql: string;
  /** A later set drops the routines and types with these names. */
  readonly names: readonly string[];
};

/** The baseline merges the changes up to this one: a database that has it has the same tables. */
export const LAST_MERGED = '0031-live';
export const BASELINE = '0031-baseline';

export type Schema = { readonly changes: readonly Change[]; readonly functions: FunctionSet };

export function readSchema(folder: URL = new URL('./', import.meta.url)): Schema {
  const changes = new URL('changes/', folder);
  const functions = new URL('functions/', folder);
  return {
    changes: listSql(changes).map((file) => {
      const sql = readText(changes, file);
      return { name: file.replace(/\.sql$/, ''), sql, hash: hashOf(sql) };
    }),
    functions: functionSet(
      Number(readText(functions, 'VERSION')),
      typesFirst(listSql(functions)).map((file) => readText(functions, file)),
    ),
  };
}

export function functionSet(version: number, files: readonly string[]): FunctionSet {
  const sql = files.join('\n');
  const names = sql.matchAll(/^create (?:or replace function|type) (\w+)/gm);
  return {
    version,
    sql,
    hash: hashOf(sql),
    names: [...new Set(Array.from(names, ([, name = '']) => name))],
  };
}

function listSql(folder: URL): string[] {
  return readdirSync(fileURLToPath(folder), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.sql'))
    .sort();
}

function typesFirst(files: readonly string[]): string[] {
  const isType = (file: string) => file.startsWith('row-types/');
  return [...files.filter(isType), ...files.filter((file) => !isType(file))];
}

/** The hash must not depend on line ends. */
function readText(folder: URL, file: string): string {
  return readFileSync(new URL(file, folder), 'utf8').replaceAll('\r\n', '\n');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
