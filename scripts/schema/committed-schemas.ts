import { execFileSync } from 'node:child_process';
import { schemaOf } from '../../server/db/schema/read-schema.ts';

export const SCHEMA_FOLDER = 'server/db/schema/';
const HISTORY = 'history.txt';
const MAX_OUTPUT_BYTES = 2 ** 30;

/** Schemas from the oldest commit on. A shallow clone has one commit. */
export function readCommittedSchemas() {
  const commits = git('log', '--reverse', '--format=%H', '--', SCHEMA_FOLDER).trimEnd().split('\n');
  const trees = commits.map(listBlobs);
  const texts = readBlobs([...new Set(trees.flatMap((tree) => [...tree.values()]))]);
  return trees.map((tree) => {
    const files = new Map([...tree].map(([path, blob]) => [path, texts.get(blob) ?? '']));
    const history = linesOf(files.get(HISTORY) ?? '');
    files.delete(HISTORY);
    return { ...schemaOf(files, history), history };
  });
}

function listBlobs(commit: string): Map<string, string> {
  const entries = linesOf(git('ls-tree', '-r', commit, '--', SCHEMA_FOLDER));
  const files = entries.map((entry) => entry.split(/[ \t]/));
  return new Map(
    files
      .map(([, , blob = '', path = '']) => [path.slice(SCHEMA_FOLDER.length), blob] as const)
      .filter(([path]) => path === HISTORY || path.endsWith('.sql')),
  );
}

function readBlobs(blobs: readonly string[]): Map<string, string> {
  const output = execFileSync('git', ['cat-file', '--batch=blob %(objectname)'], {
    input: blobs.join('\n'),
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  const [, ...parts] = output.split(/^blob (\w{40,})\n/m);
  const isText = (_: string, index: number) => index % 2 === 1;
  const found = parts.filter(isText).map((text) => text.slice(0, -1).replaceAll('\r\n', '\n'));
  return new Map(blobs.map((blob, index) => [blob, found[index] ?? '']));
}

function linesOf(text: string): string[] {
  return text.split('\n').filter(Boolean);
}

export function git(...words: string[]): string {
  return execFileSync('git', words, { encoding: 'utf8' });
}
