import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import type { ExportRequest } from '../../../contract/operator/members.ts';
import { countRows } from '../../../test/support/count-rows.ts';
import {
  createMigratedPlace,
  type DatabasePlace,
  type Engine,
  oneEngine,
} from '../../../test/support/engines.ts';
import { seedLine } from '../../../test/support/seed-line.ts';
import type { Database } from '../../db/database.ts';
import { openDatabase } from '../../db/open.ts';
import { removeMember } from '../../line/change-member.ts';
import { exportLine } from './export-line.ts';

const MEMBERS = 2_300;
const PAGE_SIZE = 1_000;

let place: DatabasePlace;
let database: Database;
let rowsOfQueries: number[];
beforeEach(() => {
  rowsOfQueries = [];
});
afterEach(async () => {
  await database.close();
  await place.remove();
});

/** The bytes of an export, as the server answers them. */
async function beginExport(engine: Engine, format: ExportRequest['format']): Promise<Readable> {
  place = await createMigratedPlace(engine);
  await seedLine(place, MEMBERS);
  database = await openDatabase({ ...place, log: () => {} });
  const counted = countRows(database);
  rowsOfQueries = counted.rowsOfQueries;
  const { dataDir } = place;
  return Readable.from(exportLine(counted.database, { brand, format, dataDir }), {
    objectMode: false,
  });
}

async function readRest(bytes: Readable): Promise<string> {
  let text = '';
  for await (const chunk of bytes.setEncoding('utf8')) text += chunk;
  return text;
}

async function findLast(): Promise<string> {
  const { rows } = await database.runSql(
    'select member_id as id from standing order by sort_key desc limit 1',
  );
  return (rows as { id: string }[])[0]?.id ?? '';
}

test.each(oneEngine)('an export on %s is of one moment, while the line changes', async (engine) => {
  const bytes = await beginExport(engine, 'json');
  await new Promise((resolve) => bytes.once('readable', resolve));
  const last = await findLast();
  await removeMember(database, { memberId: last });
  const line = JSON.parse(await readRest(bytes)) as { id: string; position: number }[];
  expect(line.map(({ position }) => position)).toEqual(
    Array.from({ length: MEMBERS }, (_, index) => index + 1),
  );
  expect(line.at(-1)?.id).toBe(last);
  // On the embedded engine, another process reads the members.
  expect(Math.max(...rowsOfQueries)).toBe(engine === 'postgres' ? PAGE_SIZE : 1);
});

test('an export whose client does not read waits with the next page', async () => {
  const bytes = await beginExport('postgres', 'csv');
  await new Promise((resolve) => bytes.once('readable', resolve));
  const membersRead = () => rowsOfQueries.reduce((sum, rows) => sum + rows);
  for (let ping = 0; ping < 20; ping += 1) await database.ping();
  expect(membersRead()).toBe(PAGE_SIZE);
  expect((await readRest(bytes)).trim().split('\r\n')).toHaveLength(MEMBERS + 1);
  expect(membersRead()).toBe(MEMBERS);
});
