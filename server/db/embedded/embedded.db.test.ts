import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMigratedPlace, type DatabasePlace } from '../../../test/support/engines.ts';
import { StartupError } from '../../startup-error.ts';
import { openDatabase } from '../open.ts';
import { assertDurable } from './embedded.ts';

const WRITER = fileURLToPath(new URL('../../../test/support/embedded-writer.ts', import.meta.url));
const CONTROL = 'global/pg_control';
const ZEROS = Buffer.alloc(8192);
let place: DatabasePlace;

beforeEach(async () => {
  place = await createMigratedPlace('embedded');
});
afterEach(() => place.remove());

function startWriter(...args: string[]) {
  const child = spawn(process.execPath, [WRITER, place.dataDir, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const acknowledged: { number: number; syncs: number }[] = [];
  const lines = createInterface(child.stdout);
  lines.on('line', (line) => {
    const [number = 0, syncs = 0] = line.split(' ').map(Number);
    acknowledged.push({ number, syncs });
  });
  let complaint = '';
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  const ended = once(child, 'close');
  async function until(count: number): Promise<void> {
    while (acknowledged.length < count)
      await Promise.race([once(lines, 'line'), ended.then(() => Promise.reject(complaint))]);
  }
  return { child, acknowledged, ended, until, complaint: () => complaint };
}

function empty(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) writeFileSync(join(folder, entry.name), '');
}

async function readWritten(): Promise<number[]> {
  const database = await openDatabase({ ...place, log: () => {} });
  const { rows } = await sql<{
    number: number;
  }>`select number from written order by number`.execute(database.kysely);
  await database.close();
  return rows.map(({ number }) => number);
}

describe('the embedded database', () => {
  test('keeps every commit of a killed process, synced before it was acknowledged', async () => {
    const writer = startWriter();
    await writer.until(50);
    await expect(openDatabase({ ...place, log: () => {} })).rejects.toThrow(
      `The data folder ${place.dataDir} is in use by another running server: stop that one first.`,
    );
    await writer.until(writer.acknowledged.length + 100);
    writer.child.kill('SIGKILL');
    await writer.ended;
    expect(writer.acknowledged.filter(({ syncs }) => syncs < 1)).toEqual([]);
    const written = await readWritten();
    expect(written).toEqual(
      expect.arrayContaining(writer.acknowledged.map(({ number }) => number)),
    );
    expect(written.length - writer.acknowledged.length).toBeLessThanOrEqual(1);
  });

  test('stops the process rather than acknowledge a commit that the disk refused', async () => {
    const writer = startWriter('fail-sync');
    expect(await writer.ended).toEqual([1, null]);
    expect(writer.complaint()).toMatch(
      /^The disk refused to make data durable, so the server stops: .*EIO/,
    );
    expect(writer.acknowledged.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(await readWritten()).toEqual(expect.arrayContaining([1, 2, 3]));
  });

  test('opens a copy of its folder beside the original', async () => {
    const original = await openDatabase({ ...place, log: () => {} });
    const copyDir = `${place.dataDir} copy`;
    cpSync(place.dataDir, copyDir, { recursive: true });
    const copy = await openDatabase({ dataDir: copyDir, databaseUrl: null, log: () => {} });
    await copy.ping();
    await copy.close();
    await original.close();
    rmSync(copyDir, { recursive: true });
  });

  test('is created in a folder open to its owner alone, whatever a crash left there', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'waitlist-new-'));
    const dataDir = join(parent, 'a folder', 'data');
    cpSync(join(place.dataDir, 'database', 'base'), join(dataDir, 'database.unfinished-1'), {
      recursive: true,
    });
    chmodSync(dataDir, 0o700);
    const lines: string[] = [];
    const database = await openDatabase({
      dataDir,
      databaseUrl: null,
      log: (line) => lines.push(line),
    });
    await database.ping();
    await database.close();
    expect(lines).toEqual(['Creating the database, once; this takes a few seconds.']);
    expect(statSync(join(dataDir, 'database')).mode & 0o777).toBe(0o700);
    rmSync(parent, { recursive: true });
  });

  test('refuses to run as PGlite ships it, with fsync off', async () => {
    const pglite = await PGlite.create(join(place.dataDir, 'database'));
    await expect(assertDurable(pglite)).rejects.toThrow(
      'The embedded database runs with fsync off, so a power cut could lose members.',
    );
    await pglite.close();
  });

  test.each([
    ['control file is zeros', (dir: string) => writeFileSync(join(dir, CONTROL), ZEROS)],
    ['control file is gone', (dir: string) => rmSync(join(dir, CONTROL))],
    ['log is emptied', (dir: string) => empty(join(dir, 'pg_wal'))],
    ['version is gone', (dir: string) => rmSync(join(dir, 'PG_VERSION'))],
    ['folder is empty', (dir: string) => [rmSync(dir, { recursive: true }), mkdirSync(dir)]],
  ])('is refused in one sentence, and not replaced, when its %s', async (_, damage) => {
    const databaseDir = join(place.dataDir, 'database');
    damage(databaseDir);
    const list = () => readdirSync(databaseDir).filter((name) => name !== 'postmaster.pid');
    const before = list();
    await expect(openDatabase({ ...place, log: () => {} })).rejects.toThrow(
      new StartupError(
        `The database in ${databaseDir} is damaged: put it aside with mv "${databaseDir}" ` +
          `"${databaseDir}.damaged", and bring back the newest backup with ` +
          './waitlist restore FILE.',
      ),
    );
    expect(list()).toEqual(before);
  });
});
