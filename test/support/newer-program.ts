/** This program as a later version might be: with one more change of tables and other functions. */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NEWER_SCHEMA = fileURLToPath(new URL('../fixtures/newer-schema', import.meta.url));

export type Program = { readonly main: string; remove(): void };

export function createNewerProgram(): Program {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-newer-'));
  for (const name of ['server', 'contract', 'brand', 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  for (const name of ['node_modules', 'dist']) symlinkSync(join(ROOT, name), join(folder, name));
  cpSync(NEWER_SCHEMA, join(folder, 'server/db/schema'), { recursive: true });
  return {
    main: join(folder, 'server/main.ts'),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
