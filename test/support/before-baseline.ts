/** Lines of programs from before the baseline, as `pg_dump --inserts` writes them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';

const LINES = fileURLToPath(new URL('../fixtures/before-baseline/', import.meta.url));

/** The commits of the programs. */
export function listOldLines(): string[] {
  return readdirSync(LINES, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? entry.name : [],
  );
}

/** `csv` is what the program exported, in order of position. */
export function readOldLine(commit: string) {
  const folder = join(LINES, commit);
  return {
    sql: zstdDecompressSync(readFileSync(join(folder, 'line.sql.zst'))).toString(),
    backup: join(folder, 'line.backup'),
    csv: readFileSync(join(folder, 'members.csv'), 'utf8'),
  };
}
