/** Filters in SQL beside the same filters applied to every member, one after the other. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import {
  CREDIT_STATES,
  MAIL_STATES,
  type MemberFilter,
} from '../../../contract/operator/member-filter.ts';
import type { Member } from '../../../contract/schemas.ts';
import { engines, openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import { openJoinQueue } from '../../line/join/join.ts';
import { prepareLine } from '../../line/prepare-line.ts';
import { readFilter } from './filter-rules.ts';
import { selectMatching } from './filter-store.ts';

const MEMBERS = 240;
const tiers = [
  { requiredReferrals: 1, reward: 'a' },
  { requiredReferrals: 3, reward: 'b' },
];

type Row = {
  id: string;
  position: number;
  email: string;
  referral_code: string;
  referral_count: number;
  credit: string;
  joined_at: Date;
  confirmed_at: Date | null;
  mail: string;
};

/** Two plain members for each that was invited by an earlier one, with every state somewhere. */
async function seed({ database }: TestDatabase): Promise<Row[]> {
  await prepareLine(database, { ...brand, tiers });
  const queue = openJoinQueue({ database, brand });
  const codes: string[] = [];
  for (let index = 0; index < MEMBERS; index += 1) {
    const referredBy = index % 3 === 2 ? (codes[Math.floor(index / 9)] ?? null) : null;
    const domain = index % 5 === 0 ? 'bücher.example' : 'mail.example';
    const email = `${index % 2 === 0 ? 'björn' : 'Ada'}.${index}@${domain}`;
    const { body } = await queue.join({ email, referredBy, idempotencyKey: null });
    codes.push((JSON.parse(body) as Member).referral_code);
  }
  await queue.close();
  await database.runSql(`
    do $$ begin
      perform set_credit(id, (array['pending', 'held', 'refused'])[1 + sequence / 12 % 3])
      from member where referrer_id is not null and sequence % 4 = 0 order by sequence;
    end $$;
    update member set joined_at = timestamptz '2026-05-01' + sequence * interval '1 hour',
      confirmed_at = case when sequence % 7 = 0 then now() end;
    insert into mail_suppression (address_hash, reason, member_id)
      select 'h' || sequence, (array['stopped', 'bounced', 'complained'])[1 + sequence % 3], id
      from member where sequence % 11 = 0`);
  const { rows } = await database.runSql(`
    select member.id, row_number() over (order by sort_key) as position, email_identity as email,
      referral_code, referral_count, credit, joined_at, confirmed_at,
      coalesce(reason, 'sending') as mail
    from member join standing on standing.member_id = member.id
    left join mail_suppression on mail_suppression.member_id = member.id`);
  return rows as Row[];
}

function isMatch(row: Row, filter: MemberFilter): boolean {
  const { text = '', tier, credit, joined_from, joined_to, confirmed, mail } = filter;
  const position = /^#(\d+)$/.exec(text)?.[1];
  const isText =
    position === undefined
      ? [row.id, row.referral_code].includes(text) || row.email.includes(text)
      : row.position === Number(position);
  const level = tiers.filter(({ requiredReferrals }) => requiredReferrals <= row.referral_count);
  return (
    isText &&
    (tier === undefined || level.length === tier) &&
    (credit === undefined || row.credit === credit) &&
    (joined_from === undefined || row.joined_at >= new Date(joined_from)) &&
    (joined_to === undefined || row.joined_at < new Date(joined_to)) &&
    (confirmed === undefined || (row.confirmed_at !== null) === confirmed) &&
    (mail === undefined || row.mail === mail)
  );
}

describe.each(engines)('filters on %s', (engine) => {
  let place: TestDatabase;
  let line: Row[];
  beforeAll(async () => {
    place = await openTestDatabase(engine);
    line = await seed(place);
  });
  afterAll(() => place.close());

  const find = async (filter: MemberFilter) => {
    const matching = selectMatching(readFilter(filter, tiers));
    const { rows } = await sql<{ id: string }>`${matching}`.execute(place.database.kysely);
    return rows.map(({ id }) => id).sort();
  };

  test('match as the fields say, alone and together', async () => {
    const day = fc
      .integer({ min: 0, max: 11 })
      .map((days) => `2026-05-${String(days + 1).padStart(2, '0')}`);
    const text = fc.oneof(
      fc.constantFrom('ada', 'björn', '.1', 'mail', 'xn--bcher', '@', '%', '_', 'nobody'),
      fc.integer({ min: 1, max: MEMBERS + 2 }).map((position) => `#${position}`),
      fc.nat({ max: MEMBERS - 1 }).map((index) => line[index]?.referral_code ?? ''),
      fc.nat({ max: MEMBERS - 1 }).map((index) => line[index]?.id ?? ''),
    );
    const filters = fc.record(
      {
        text,
        tier: fc.integer({ min: 0, max: 2 }),
        credit: fc.constantFrom(...CREDIT_STATES),
        joined_from: day,
        joined_to: day,
        confirmed: fc.boolean(),
        mail: fc.constantFrom(...MAIL_STATES),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const expected = line.filter((row) => isMatch(row, filter)).map(({ id }) => id);
        expect(await find(filter)).toEqual(expected.sort());
      }),
      { numRuns: 150 },
    );
  });

  test('each finds somebody', async () => {
    const found = [
      ...CREDIT_STATES.map((credit) => ({ credit })),
      ...MAIL_STATES.map((mail) => ({ mail })),
      ...[0, 1, 2].map((tier) => ({ tier })),
      { confirmed: true },
      { text: '#1' },
      { text: `#${MEMBERS}` },
      { text: 'Bücher' },
      { joined_from: '2026-05-02', joined_to: '2026-05-03' },
    ].map(async (filter) => (await find(filter)).length);
    expect(Math.min(...(await Promise.all(found)))).toBeGreaterThan(0);
    expect(await find({})).toHaveLength(MEMBERS);
    expect(await find({ text: `#${MEMBERS + 1}` })).toEqual([]);
    expect(await find({ text: '#0' })).toEqual([]);
  });
});
