import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMigratedPlace, type DatabasePlace } from '../../../test/support/engines.ts';
import { isAll } from '../../../test/support/test-form.ts';
import { openDatabase } from '../open.ts';
import { assertDurable } from './embedded.ts';

const WRITER = fileURLToPath(new URL('../../../test/support/embedded-writer.ts', import.meta.url));
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

  test.runIf(isAll)(
    'stops the process rather than acknowledge a commit that the disk refused',
    async () => {
      const writer = startWriter('fail-sync');
      expect(await writer.ended).toEqual([1, null]);
      expect(writer.complaint()).toMatch(
        /^The disk refused to make data durable, so the server stops: .*EIO/,
      );
      expect(writer.acknowledged.map(({ number }) => number)).toEqual([1, 2, 3]);
      expect(await readWritten()).toEqual(expect.arrayContaining([1, 2, 3]));
    },
  );

  test('refuses to run as PGlite ships it, with fsync off', async () => {
    const pglite = await PGlite.create(join(place.dataDir, 'database'));
    await expect(assertDurable(pglite)).rejects.toThrow(
      'The embedded database runs with fsync off, so a power cut could lose members.',
    );
    await pglite.close();
  });
});
