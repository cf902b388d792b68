/** `npm run schema`: adds changes and functions to the history, including those of commits. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMerged, readSchema, type Schema } from '../server/db/schema/read-schema.ts';
import { ROOT } from './build/vite-config.ts';
import { git, readCommittedSchemas, SCHEMA_FOLDER } from './schema/committed-schemas.ts';

const MAIN = 'main';

process.chdir(ROOT);
const own = readSchema();
const committed = readCommittedSchemas();
const history = [...(committed.at(-1)?.history ?? [])];
for (const schema of [...committed, own]) addMissing(schema);
if (history.findLast(isFunctions) !== functionsOf(own)) history.push(functionsOf(own));
writeFileSync(`${SCHEMA_FOLDER}history.txt`, `${history.join('\n')}\n`);
console.log(`The history of the schema has ${history.length} lines.`);

const last = git('ls-tree', '--name-only', MAIN, `${SCHEMA_FOLDER}changes/`).trimEnd();
const before = last.slice(last.lastIndexOf('/') + 1, -'.sql'.length);
const folder = join(ROOT, 'test/fixtures/states', before);
if (before !== own.changes.at(-1)?.name && !existsSync(folder)) storeState();

function addMissing(schema: Schema): void {
  const changes = schema.changes.filter(({ name }) => !isMerged(name));
  const lines = [...changes.map(({ name, hash }) => `${name} ${hash}`), functionsOf(schema)];
  history.push(...lines.filter((line) => !history.includes(line)));
}

function functionsOf({ functions }: Schema): string {
  return `functions ${functions.hash}`;
}

function isFunctions(line: string): boolean {
  return line.startsWith('functions ');
}

function storeState(): void {
  const checkout = mkdtempSync(join(tmpdir(), 'waitlist-main-'));
  git('worktree', 'add', '--detach', checkout, MAIN);
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
    const words = ['test/support/store-state.ts', folder];
    execFileSync(process.execPath, words, { cwd: checkout, stdio: 'inherit' });
  } finally {
    git('worktree', 'remove', '--force', checkout);
  }
}
