/** Programs that a test needs and npm does not install. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'vitest';

/** Where Debian has those of administrators, which are not in every PATH. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
/** Older ones cannot send a join a second time. */
const CADDY_THAT_REPEATS = [2, 11, 2];

/** The path of a program; null where it is not installed. */
export function findProgram(name: string): string | null {
  return FOLDERS.map((folder) => join(folder, name)).find(existsSync) ?? null;
}

/** Why a test that needs these programs is skipped; null where all are installed. */
export function findMissing(...programs: string[]): string | null {
  const missing = programs.filter((name) => findProgram(name) === null);
  return missing.length === 0 ? null : `${missing.join(' and ')} not installed`;
}

/** A test whose title says why it is skipped; with `reason: null` it runs. */
export function testUnless(title: string, reason: string | null, run: () => unknown): void {
  test.skipIf(reason !== null)(
    reason === null ? title : `${title} (skipped: ${reason})`,
    async () => {
      await run();
    },
  );
}

/** The Caddy of `CADDY`, otherwise the one in the PATH, with why deploy/Caddyfile is not for it. */
export function findCaddy(): { readonly path: string; readonly unfit: string | null } | null {
  const path = process.env.CADDY ?? findProgram('caddy');
  if (path === null) return null;
  const version = execFileSync(path, ['version'], { encoding: 'utf8' }).trim().split(' ')[0] ?? '';
  const isFit = isAtLeast(version, CADDY_THAT_REPEATS);
  return { path, unfit: isFit ? null : `Caddy 2.11.2 or newer needed, this is ${version}` };
}

function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.match(/\d+/g)?.map(Number) ?? [];
  const index = least.findIndex((part, place) => part !== (parts[place] ?? 0));
  return index < 0 || (parts[index] ?? 0) > (least[index] ?? 0);
}
