/** What friends count for in a frozen line, and who is in it. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { proveMailboxes } from '../../server/line/credits/prove-mailboxes.ts';
import { openStatusReader } from '../../server/line/get-status.ts';
import { sortKey } from '../../server/line/line-rules.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { oneEngine } from '../support/engines.ts';
import { keepFinds } from '../support/keep-finds.ts';
import { provideLine } from '../support/provide-line.ts';
import { type Friend, insertFriends } from '../support/settled-friends.ts';
import { isAll } from '../support/test-form.ts';

const OWN = 'own.example';

const friendOf = (referrer: number | null, domain: string, minute: number | null = 0): Friend => ({
  referrer,
  domain,
  confirmedMinute: minute,
});
/** A member with friends at these domains, in turn. */
const codeOf = (count: number, ...domains: readonly string[]): Friend[] => [
  friendOf(null, 'gmail.com'),
  ...Array.from({ length: count }, (_, n) => friendOf(0, domains[n % domains.length] ?? OWN, n)),
];

/** The rule: first of a mailbox, 25 of a name whole and more by half, ten aliases. */
function reckon(friends: readonly Friend[]): number[] {
  const firsts = new Map<string, number>();
  const boxOf = ({ name, domain }: Friend, index: number) =>
    name === undefined ? `${index}` : `${name.replace(/\+.*/, '')}@${domain}`;
  const isEarlier = (one: number, other: number) =>
    (friends[one]?.confirmedMinute ?? 0) - (friends[other]?.confirmedMinute ?? 0) || one - other;
  for (const [index, friend] of friends.entries()) {
    if (friend.confirmedMinute === null) continue;
    const first = firsts.get(boxOf(friend, index));
    if (first === undefined || isEarlier(index, first) < 0) firsts.set(boxOf(friend, index), index);
  }
  return friends.map((_, member) => {
    const ofName = new Map<string, number>();
    for (const [index, friend] of friends.entries()) {
      const { referrer, credit = 'given', domain } = friend;
      if (referrer !== member || credit !== 'given') continue;
      if (firsts.get(boxOf(friend, index)) !== index) continue;
      const name = domain.split('.').slice(-2).join('.');
      ofName.set(name, (ofName.get(name) ?? 0) + 1);
    }
    const halves = [...ofName].map(([name, n]) => {
      if (name === 'gmail.com') return 2 * n;
      return name === 'duck.com' ? 2 * Math.min(10, n) : 2 * Math.min(25, n) + Math.max(0, n - 25);
    });
    return Math.floor(halves.reduce((sum, count) => sum + count, 0) / 2);
  });
}

const anyFriend = fc.record({
  domain: fc.constantFrom('gmail.com', 'duck.com', OWN, OWN, OWN, `mail.${OWN}`, 'other.example'),
  name: fc.option(fc.constantFrom('ada', 'ada+1', 'ada+2', 'bo', 'bo+1'), { freq: 2 }),
  referrer: fc.nat(3),
  credit: fc.constantFrom('given', 'given', 'given', 'given', 'held'),
  confirmedMinute: fc.option(fc.integer({ min: 0, max: 30 }), { freq: 8 }),
});
const anyFriends = fc
  .array(anyFriend, { minLength: 1, maxLength: 120, size: 'max' })
  .map((drawn) => {
    const taken = new Set<string>();
    return drawn.map(({ name, referrer, ...one }, index): Friend => {
      const address = `${name}@${one.domain}`;
      const isFree = name !== null && !taken.has(address);
      taken.add(address);
      return { ...one, ...(isFree && { name }), referrer: referrer < index ? referrer : null };
    });
  });

describe.each(oneEngine)('a frozen line on %s', (engine) => {
  const place = provideLine(engine, {}, 'all');
  afterEach(empty);

  async function empty() {
    await place.database.runSql('delete from member');
  }

  async function count(friends: readonly Friend[]): Promise<number[]> {
    const ids = await insertFriends(place.database, friends);
    const { rows } = await sql<{ credits: number }>`
      select credits from unnest(${ids}::uuid[]) with ordinality asked (id, place)
      cross join lateral settled_credits(id) order by place`.execute(place.database.kysely);
    await empty();
    return rows.map(({ credits }) => credits);
  }

  test.each([
    ['a class of 28 at a server of its own', codeOf(28, 'class.example'), 26],
    ['25 friends of one domain', codeOf(25, OWN), 25],
    ['150 friends of one domain', codeOf(150, OWN), 87],
    ['150 friends of one domain below it', codeOf(150, `a.${OWN}`, `b.${OWN}`), 87],
    ['50 friends of two domains', codeOf(50, OWN, 'other.example'), 50],
    [
      'names below a suffix that anybody can have',
      codeOf(60, 'a.duckdns.org', 'b.duckdns.org'),
      55,
    ],
    ['150 friends at a provider', codeOf(150, 'gmail.com'), 150],
    ['30 friends at services of aliases', codeOf(30, 'duck.com', 'sent.com', 'mozmail.com'), 10],
    ['30 spellings of one mailbox', codeOf(30, 'ada.fastmail.com'), 1],
  ])('counts %s', async (_, friends, credits) => {
    expect((await count(friends))[0]).toBe(credits);
  });

  test('counts a mailbox for whoever confirmed it first, not for who typed it first', async () => {
    const friends = [
      friendOf(null, 'gmail.com'),
      friendOf(null, 'gmail.com'),
      { ...friendOf(0, 'gmail.com', null), name: 'typed.first' },
      { ...friendOf(0, 'gmail.com', 9), name: 'typedfirst+later' },
      { ...friendOf(1, 'gmail.com', 5), name: 'typedfirst' },
    ];
    expect((await count(friends)).slice(0, 2)).toEqual([0, 1]);
  });

  test('is proved anew by the rules of this program, in pages', async () => {
    const friends = codeOf(1100, 'gmail.com', 'a.example', 'duck.com');
    await insertFriends(place.database, friends);
    const readProved = async () =>
      (await place.database.runSql('select proved_mailbox, proved_name from member order by id'))
        .rows;
    const proved = await readProved();
    await place.database.runSql(`
      update member set proved_mailbox = 'a', proved_name = null where sequence % 3 = 0`);
    const old = await readProved();
    await proveMailboxes(place.database);
    expect(await readProved()).toEqual(old);
    await proveMailboxes(place.database, 'all');
    expect(await readProved()).toEqual(proved);
    expect(proved).toContainEqual({ proved_mailbox: 'ghost2@a.example', proved_name: 'a.example' });
  });

  test('has only members who have confirmed, each as their page says', async () => {
    await fc.assert(
      fc.asyncProperty(anyFriends, fc.integer({ min: 1, max: 120 }), async (friends, first) => {
        const expected = reckon(friends);
        const ids = await insertFriends(place.database, friends);
        const reader = openStatusReader({ database: place.database, brand });
        const pages = await Promise.all(ids.map((id) => reader.getStatus(id)));
        await reader.close();
        expect(pages.map(({ settled_referrals }) => settled_referrals)).toEqual(expected);
        const { rows } = await sql<{ member_id: string; credits: number }>`
          select * from settled_line(${first}::integer)`.execute(place.database.kysely);
        expect((await verifyLine(place.database)).differences).toEqual([]);
        await empty();
        const line = ids.flatMap((member_id, index) => {
          const credits = expected[index] ?? 0;
          const isInvited = friends[index]?.referrer !== null;
          if (friends[index]?.confirmedMinute === null) return [];
          return { member_id, credits, key: sortKey({ sequence: index, credits, isInvited }) };
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
