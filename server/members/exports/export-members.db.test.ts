import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import type { ListedMember } from '../../../contract/operator/member-list.ts';
import { countRows } from '../../../test/support/count-rows.ts';
import {
  createMigratedPlace,
  type DatabasePlace,
  oneEngine,
} from '../../../test/support/engines.ts';
import { seedLine } from '../../../test/support/seed-line.ts';
import type { Database } from '../../db/database.ts';
import { openDatabase } from '../../db/open.ts';
import { removeMember } from '../../line/change-member.ts';
import { exportMembers } from './export-line.ts';

const MEMBERS = 2_300;
const PAGE_SIZE = 1_000;
const positions = Array.from({ length: MEMBERS }, (_, index) => index + 1);

describe.each(oneEngine)(`an export of ${MEMBERS} members on %s`, (engine) => {
  let place: DatabasePlace;
  let database: Database;
  beforeAll(async () => {
    place = await createMigratedPlace(engine);
    await seedLine(place, MEMBERS);
    database = await openDatabase({ ...place, log: () => {} });
  });
  afterAll(async () => {
    await database.close();
    await place.remove();
  });

  test('is read in pages, first to last, as of the moment at which it began', async () => {
    const { rows } = await database.runSql(
      'select member_id as id from standing order by sort_key desc limit 1',
    );
    const [{ id }] = rows as [{ id: string }];
    const counted = countRows(database);
    const line: ListedMember[] = [];
    for await (const member of exportMembers(counted.database, brand)) {
      line.push(member);
      // The embedded engine keeps everyone waiting meanwhile.
      if (engine === 'postgres' && member.position === 1)
        await removeMember(database, { memberId: id });
    }
    expect(line.map(({ position }) => position)).toEqual(positions);
    expect(new Set(line.map((member) => member.id)).size).toBe(MEMBERS);
    expect(line.at(-1)?.id).toBe(id);
    expect(line[0]).toMatchObject({ email: 'seed0@example.com', is_invited: false });
    expect(line[1]).toMatchObject({ is_invited: true, referred_by: line[0]?.referral_code });
    expect(Math.max(...counted.rowsOfQueries)).toBe(PAGE_SIZE);
  });

  test('reads no further when its reader stops, and frees the connection', async () => {
    const counted = countRows(database);
    for await (const { position } of exportMembers(counted.database, brand))
      if (position === 10) break;
    await database.ping();
    expect(counted.rowsOfQueries.reduce((sum, rows) => sum + rows)).toBe(PAGE_SIZE);
  });
});
