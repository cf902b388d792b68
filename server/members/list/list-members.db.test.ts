/** Lists beside the same members filtered and sorted in JavaScript. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { MAIL_STATES, MEMBER_CREDITS, NO_SOURCE } from '../../../contract/member-states.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import {
  type ListedMember,
  MEMBER_SORTS,
  type MemberSort,
  ORDERS,
  type Order,
} from '../../../contract/operator/member-list.ts';
import { oneEngine } from '../../../test/support/engines.ts';
import { provideLine } from '../../../test/support/provide-line.ts';
import {
  filtersOf,
  isMatch,
  seedVariedLine,
  VARIED_MEMBERS,
  type VariedMember,
  variedTiers,
} from '../../../test/support/varied-line.ts';
import { countMembers, listMembers } from './list-members.ts';
import { findMembers, getMember } from './read-members.ts';

const brand = { tiers: variedTiers };

/** In ascending order. */
const KEYS: Readonly<Record<MemberSort, (row: VariedMember) => readonly [number, number]>> = {
  position: (row) => [row.position, 0],
  joined: (row) => [row.joined_at.getTime(), row.sequence],
  referrals: (row) => [row.referral_count, -row.position],
};

function sortedIds(line: readonly VariedMember[], sort: MemberSort, order: Order): string[] {
  const key = KEYS[sort];
  const sorted = line.toSorted((a, b) => key(a)[0] - key(b)[0] || key(a)[1] - key(b)[1]);
  return (order === 'asc' ? sorted : sorted.toReversed()).map(({ id }) => id);
}

describe.each(oneEngine)('the list of members on %s', (engine) => {
  const place = provideLine(engine, {}, 'all');
  let line: VariedMember[];
  beforeAll(async () => {
    line = await seedVariedLine(place);
  });

  type Request = { filter: MemberFilter; sort: MemberSort; order: Order; limit: number };
  async function readAll(request: Request): Promise<ListedMember[]> {
    const options = { database: place.database, brand };
    const found: ListedMember[] = [];
    let after: string | undefined;
    do {
      const page = await listMembers(options, { ...request, ...(after && { after }) });
      expect(page.members.length).toBeLessThanOrEqual(request.limit);
      if (!page.is_partial && page.next !== null) expect(page.members).toHaveLength(request.limit);
      found.push(...page.members);
      after = page.next ?? undefined;
    } while (after !== undefined);
    return found;
  }

  test('has those that match, each once, in every order', async () => {
    await fc.assert(
      fc.asyncProperty(
        filtersOf(line),
        fc.constantFrom(...MEMBER_SORTS),
        fc.constantFrom(...ORDERS),
        fc.integer({ min: 1, max: 100 }),
        async (filter, sort, order, limit) => {
          const matching = line.filter((row) => isMatch(row, filter));
          const found = await readAll({ filter, sort, order, limit });
          expect(found.map(({ id }) => id)).toEqual(sortedIds(matching, sort, order));
          const options = { database: place.database, brand };
          const counted = await countMembers(options, filter);
          expect(counted).toEqual({ count: matching.length, is_exact: true });
        },
      ),
      { numRuns: 100 },
    );
  });

  test('has those of each filter alone, who are some', async () => {
    const { id: text, referral_code: code } = line[7] ?? ({} as VariedMember);
    /** A filter, and what it means where the model reads it otherwise. */
    const filters: [MemberFilter, MemberFilter?][] = [
      ...MEMBER_CREDITS.map((credit): [MemberFilter] => [{ credit }]),
      ...MAIL_STATES.map((mail): [MemberFilter] => [{ mail }]),
      ...[0, 1, 2].map((tier): [MemberFilter] => [{ tier }]),
      ...[true, false].map((confirmed): [MemberFilter] => [{ confirmed }]),
      ...[text, code, 'ada', '#1', '#20-30'].map((one): [MemberFilter] => [{ text: one }]),
      [{ text: 'Bücher' }, { text: 'xn--bcher' }],
      [{ text: 'first 100' }, { positions: '1-100' }],
      [{ positions: '101-' }],
      [{ source: NO_SOURCE }],
      [{ source: 'l.instagram.com' }],
      [{ source: 'Newsletter' }, { source: 'newsletter' }],
      [{ joined_from: '2026-05-02' }],
      [{ joined_to: '2026-05-03' }],
    ];
    for (const [filter, meant = filter] of filters) {
      const matching = line.filter((row) => isMatch(row, meant));
      expect(matching.length, JSON.stringify(filter)).toBeGreaterThan(0);
      const { count } = await countMembers({ database: place.database, brand }, filter);
      expect([filter, count]).toEqual([filter, matching.length]);
      for (const sort of MEMBER_SORTS) {
        const found = await readAll({ filter, sort, order: 'asc', limit: 100 });
        const ids = found.map(({ id }) => id);
        expect([filter, sort, ids]).toEqual([filter, sort, sortedIds(matching, sort, 'asc')]);
      }
    }
    for (const none of [`#${VARIED_MEMBERS + 1}`, '#0'])
      expect(await countMembers({ database: place.database, brand }, { text: none })).toEqual({
        count: 0,
        is_exact: true,
      });
  });

  test('shows each member as they are', async () => {
    const found = await readAll({ filter: {}, sort: 'position', order: 'asc', limit: 100 });
    const expected = line
      .toSorted((a, b) => a.position - b.position)
      .map((row) => ({
        id: row.id,
        position: row.position,
        referral_count: row.referral_count,
        credit: row.credit,
        mail_state: row.mail,
        joined_at: row.joined_at.toISOString(),
        confirmed_at: row.confirmed_at?.toISOString() ?? null,
      }));
    expect(found).toMatchObject(expected);
  });

  test('goes on behind the last member, whoever has moved meanwhile', async () => {
    const options = { database: place.database, brand };
    const first = await listMembers(options, { limit: 20 });
    const last = line.find(({ position }) => position === line.length);
    await place.database.runSql(
      `begin; select from line_state for update;
       update standing set sort_key = sort_key - 100000000000 where member_id = '${last?.id}';
       commit`,
    );
    const second = await listMembers(options, { limit: 20, after: first.next ?? '' });
    const inLine = line.toSorted((a, b) => a.position - b.position).map(({ id }) => id);
    expect(second.members.map(({ id }) => id)).toEqual(inLine.slice(20, 40));
    expect(second.members[0]?.position).toBe(22);
    await place.database.runSql(
      `update standing set sort_key = sort_key + 100000000000 where member_id = '${last?.id}'`,
    );
  });

  test('finds members far behind, and none who has left since the search', async () => {
    const copy = `insert into standing (member_id, sort_key) values ($1, 900000000);
      insert into member (id, sequence, joined_at, join_position, request_hash, is_invited, email,
        email_identity, referral_code)
      values ($1, 900000, now(), 1, $1, false, 'late@late.example', 'late@late.example', 'LATE')`;
    const id = '018f2b5e-0000-7000-8000-000000000001';
    await place.database.runSql(copy.replaceAll('$1', `'${id}'`));
    const find = () =>
      readAll({ filter: { text: 'late.ex' }, sort: 'joined', order: 'asc', limit: 9 });
    expect(await find()).toMatchObject([{ id }]);
    await place.database.runSql(`delete from member where id = '${id}'`);
    expect(await find()).toEqual([]);
  });

  test('refuses the cursor of another order', async () => {
    const options = { database: place.database, brand };
    const { next } = await listMembers(options, { limit: 1 });
    for (const after of [next ?? '', 'x', 'joined.desc.1', ''])
      await expect(listMembers(options, { sort: 'joined', after })).rejects.toThrow('"after"');
  });

  test('finds a member with the credit and mail states that webhooks leave out', async () => {
    const { id = '', email = '' } = line[0] ?? {};
    const [found] = await findMembers(place.database, brand, { text: email.toUpperCase() });
    expect(found).toMatchObject({ id, credit: line[0]?.credit });
    const sent = await getMember(place.database, brand, { memberId: id });
    const { credit, mail_state, ...rest } = found ?? ({} as ListedMember);
    expect(JSON.parse(JSON.stringify(sent))).toEqual(rest);
  });
});
