/** What confirmed friends are worth in a frozen line, by what their mailboxes cost. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { sortKey } from '../../server/line/line-rules.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { keepFinds } from '../support/keep-finds.ts';
import { type Friend, insertFriends } from '../support/settled-friends.ts';
import { isAll } from '../support/test-form.ts';
import { reckonCredits } from './settled-model.ts';

const COSTLY = 'gmail.com';
const HOSTED = 'hosted.example';
const OPEN = 'own.example';

const friendOf = (referrer: number | null, domain: string, minute = 0): Friend => ({
  referrer,
  domain,
  confirmedMinute: minute,
});
/** A member at this domain with friends at the same or another one. */
const codeOf = (count: number, domain: string, own = domain): Friend[] => [
  friendOf(null, own),
  ...Array.from({ length: count }, (_, minute) => friendOf(0, domain, minute)),
];

const anyFriend = fc.record({
  domain: fc.constantFrom(COSTLY, COSTLY, HOSTED, 'hosted.test', OPEN, OPEN, 'other.example'),
  back: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 8 }),
  credit: fc.constantFrom('given', 'given', 'given', 'given', 'held'),
  confirmedMinute: fc.option(fc.integer({ min: 0, max: 30 }), { freq: 8 }),
});
/** Few inviters make wide trees, and an inviter just before makes a chain. */
const anyFriends = fc
  .tuple(fc.array(anyFriend, { minLength: 1, maxLength: 120, size: 'max' }), fc.boolean())
  .map(([drawn, isDeep]) =>
    drawn.map(({ back, domain, credit, confirmedMinute }, index): Friend => {
      const referrer = back === null || index === 0 ? null : isDeep ? index - back : back % 4;
      const isKnown = referrer !== null && referrer >= 0 && referrer < index;
      return { domain, referrer: isKnown ? referrer : null, credit, confirmedMinute };
    }),
  );

describe.each(oneEngine)('settled credits on %s', (engine) => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await openTestDatabase(engine);
    await prepareSizes(place.database, brand);
    await sql`insert into mail_domain values ('hosted.example', 'hosted', now()),
      ('hosted.test', 'hosted', now()), ('own.example', 'open', now())`.execute(
      place.database.kysely,
    );
  });
  afterEach(empty);
  afterAll(() => place.close());

  async function empty() {
    await place.database.runSql('delete from member');
  }

  async function countIn(friends: readonly Friend[]): Promise<number[]> {
    const ids = await insertFriends(place.database, friends);
    const { rows } = await sql<{ member_id: string; credits: number }>`
      select * from settled_credits(${ids}::uuid[])`.execute(place.database.kysely);
    const found = new Map(rows.map(({ member_id, credits }) => [member_id, credits]));
    await empty();
    return ids.map((id) => found.get(id) ?? Number.NaN);
  }
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

  test('count 45 friends of a gym at freemail addresses that cost a phone number', async () => {
    expect((await countIn(codeOf(45, COSTLY)))[0]).toBe(45);
  });

  test('count a school class of 28 whose mailboxes a hoster charges for', async () => {
    expect((await countIn(codeOf(28, HOSTED)))[0]).toBe(28);
  });

  test.each([
    [3, 3],
    [5, 5],
    [6, 5],
    [15, 10],
    [28, 11],
    [65, 15],
    [1000, 15],
  ])('count %d friends at domains that anybody can fill as %d', async (friends, credits) => {
    expect((await countIn(codeOf(friends, OPEN)))[0]).toBe(credits);
  });

  test('count all friends of an audience of whom a third are at open domains', async () => {
    const friends = codeOf(150, COSTLY);
    for (let minute = 0; minute < 80; minute += 1) friends.push(friendOf(0, OPEN, minute));
    expect((await countIn(friends))[0]).toBe(230);
  });

  test('count one friend at an open domain for every three at a hoster', async () => {
    const friends = [...codeOf(24, HOSTED), ...codeOf(24, 'hosted.test').slice(1)];
    for (let minute = 0; minute < 21; minute += 1) friends.push(friendOf(0, OPEN, minute));
    expect((await countIn(friends))[0]).toBe(48 + 21);
  });

  test('count no domain of a hoster for more than its price', async () => {
    expect((await countIn(codeOf(150, HOSTED)))[0]).toBe(25 + 8 + 10 + 5);
  });

  test('give a chain of 30 that bring each other no more than one of them could get', async () => {
    const chain = Array.from({ length: 30 }, (_, index) =>
      friendOf(index === 0 ? null : index - 1, OPEN, index),
    );
    expect(sum(await countIn(chain))).toBeLessThanOrEqual(reckonCredits(codeOf(29, OPEN))[0] ?? 0);
  });

  test.each([1, 2, 3, 5, 12])(
    'give a tree of 150 in which each brings %d no more than one of them could get',
    async (each) => {
      for (const domain of [OPEN, HOSTED]) {
        const tree = Array.from({ length: 150 }, (_, index) =>
          friendOf(index === 0 ? null : Math.floor((index - 1) / each), domain, 150 - index),
        );
        const [alone = 0] = reckonCredits(codeOf(149, domain));
        expect(sum(await countIn(tree))).toBeLessThanOrEqual(alone);
      }
    },
  );

  test('rise for nobody together when somebody of a tree is refused', async () => {
    const tree = Array.from({ length: 40 }, (_, index) =>
      friendOf(index === 0 ? null : Math.floor((index - 1) / 3), OPEN, index),
    );
    const whole = sum(await countIn(tree));
    for (const refused of [1, 2, 5, 12]) {
      const cut = tree.map(
        (friend, index): Friend => (index === refused ? { ...friend, credit: 'held' } : friend),
      );
      expect(sum(await countIn(cut))).toBeLessThanOrEqual(whole);
    }
  });

  test('take nothing from a member whose friend brings a crowd', async () => {
    const friends = [...codeOf(5, OPEN), friendOf(1, OPEN)];
    const crowded = [...friends];
    for (let count = 0; count < 100; count += 1) crowded.push(friendOf(2, OPEN, -count));
    expect((await countIn(crowded))[0]).toBe((await countIn(friends))[0]);
  });

  test('are those that plain reckoning finds, and so is the line they give', async () => {
    await fc.assert(
      fc.asyncProperty(anyFriends, fc.integer({ min: 1, max: 120 }), async (friends, first) => {
        const expected = reckonCredits(friends);
        expect(await countIn(friends)).toEqual(expected);
        const ids = await insertFriends(place.database, friends);
        const { rows } = await sql<{ member_id: string; credits: number }>`
          select * from settled_line(${first}::integer)`.execute(place.database.kysely);
        await empty();
        const line = ids.map((member_id, index) => {
          const credits = expected[index] ?? 0;
          const isInvited = friends[index]?.referrer !== null;
          return {
            member_id,
            credits,
            key: sortKey({ sequence: index, credits, isInvited }),
          };
        });
        expect(rows.map(({ member_id, credits }) => ({ member_id, credits }))).toEqual(
          line
            .sort((a, b) => a.key - b.key)
            .slice(0, first)
            .map(({ member_id, credits }) => ({ member_id, credits })),
        );
      }),
      keepFinds({ numRuns: isAll ? 100 : 40 }),
    );
  });
});
