import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../server/db/transaction.ts';
import { allocateMasksOperation } from '../../server/drop/stock/stock.ts';
import { verifyWaitlist } from '../../server/overview/verify-waitlist.ts';
import { oneEngine } from '../support/engines.ts';
import { provideLine } from '../support/provide-line.ts';

const memberOf = (sequence: number) => `(select id from member where sequence = ${sequence})`;
const differing = (places: string, example: string) =>
  new RegExp(`^Bucket counts differ in ${places}, such as: ${example}\\.$`);
/** Each is one wrong statement that bypasses triggers, and what `verify` must report. */
const errors = [
  ['update line_state set total = total + 1', /^The line says 31 members and has 30\.$/],
  [
    'update line_state set next_sequence = 30',
    /^The next to join would be number 30, but 30 is taken\.$/,
  ],
  [
    `update standing set referral_count = 7 where member_id = ${memberOf(2)}`,
    /^Referral counts differ in 1 place, .+ has 7 with 0 unconfirmed, credited are 0 and 0\.$/,
  ],
  [
    `update member set credit = 'held' where sequence = 20`,
    /^Referral counts differ in 1 place, .+ has 10 with 20 unconfirmed, credited are 0 and 19\.$/,
  ],
  [
    `update member set credit = 'held' where sequence = 20`,
    /^Credits differ in 1 place, such as: .+ is held, and nobody decided so\.$/,
  ],
  [
    `update standing set sort_key = sort_key - 1000000 where member_id = ${memberOf(5)}`,
    /^Sort keys differ in 1 place, such as: /,
  ],
  [
    `update standing set sort_key = sort_key - 1000000 where member_id = ${memberOf(5)}`,
    /^Positions differ in /,
  ],
  [
    'update referral_tally set members = members + 1',
    /^Tallies differ in 1 place, such as: count 10 is tallied 2 times, held by 1\.$/,
  ],
  [
    `update member set sequence = 4 where sequence = 5`,
    /^Members differ in 1 place, such as: sequence 4 is given 2 times\.$/,
  ],
  [
    `delete from standing where member_id = ${memberOf(5)}`,
    /^Members differ in 1 place, such as: .+ has no standing\.$/,
  ],
  [
    `update count_node set sums = add_to_slots(sums, '{3}', '{1}') where shift = 13`,
    differing('\\d+ places?', 'bucket 2\\^13 wide from key -?\\d+ counts 1, holds 0'),
  ],
  [
    `update count_node set sums[256] = 99 where shift = 45`,
    /^Bucket counts differ in 1 place, such as: bucket 2\^45 wide /,
  ],
  [
    `delete from count_node where shift = 21`,
    differing('\\d+ places', 'bucket 2\\^21 wide from key -?\\d+ counts 0, holds \\d+'),
  ],
  [
    `insert into count_node
     values (29::bigint << 44 | 3, 29, add_to_slots(array_fill(0, array[256]), '{7}', '{5}'))`,
    differing('1 place', 'bucket 2\\^29 wide from key -4503183552413696 counts 5, holds 0'),
  ],
  [
    `update count_node set sums = add_to_slots(sums, '{0}', '{5}') where shift = 45`,
    /^Positions differ in 30 places, such as: .+ is told \d+, is \d+\.$/,
  ],
  [
    `delete from standing where member_id = (select id from member where sequence = 15)`,
    /^Bucket counts differ/,
  ],
  [`delete from member where sequence = 15`, /^The line says 30 members and has 29\.$/],
  [
    `update mask_size set stock = 1 where name = 'Large'`,
    /^Of size Large 2 are allocated, 0 offered and 1 in stock\.$/,
  ],
] as const;

describe.each(oneEngine)('verify on the %s engine', (engine) => {
  const place = provideLine(engine, {}, 'all');

  beforeAll(async () => {
    const [plain] = await place.joinAll(10);
    await place.joinAll(20, plain?.referral_code);
    await inTransaction(place.database, (transaction) =>
      allocateMasksOperation.apply(
        transaction,
        { size: 'Large', quantity: 2, note: 'press' },
        undefined as never,
      ),
    );
  });

  test('finds nothing in a line that is right', async () => {
    expect(await verifyWaitlist(place.database)).toMatchObject({
      members: 30,
      differences: [],
    });
  });

  test.each(errors)('finds what "%s" has done', async (statement, sentence) => {
    await runPastTriggers(
      TABLES.map((table) => `create table right_${table} as select * from ${table}`),
    );
    await runPastTriggers([statement]);
    const { differences } = await verifyWaitlist(place.database);
    await runPastTriggers(
      TABLES.flatMap((table) => [
        `delete from ${table}`,
        `insert into ${table} select * from right_${table}`,
        `drop table right_${table}`,
      ]),
    );
    expect(differences).toContainEqual(expect.stringMatching(sentence));
    expect(await verifyWaitlist(place.database)).toMatchObject({
      members: 30,
      differences: [],
    });
  });

  async function runPastTriggers(statements: string[]): Promise<void> {
    await place.database.kysely.transaction().execute(async (transaction) => {
      await sql`set local session_replication_role = replica`.execute(transaction);
      for (const statement of statements) await sql.raw(statement).execute(transaction);
    });
  }
});

const TABLES = [
  'line_state',
  'member',
  'standing',
  'count_node',
  'referral_tally',
  'mask_size',
  'credit_case',
];
