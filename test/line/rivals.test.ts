/** What a rival does to honest members, each played with the rival and without. */
import { afterEach, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { openStatusReader } from '../../server/line/get-status.ts';
import { oneEngine } from '../support/engines.ts';
import { provideLine } from '../support/provide-line.ts';
import { type Friend, insertFriends } from '../support/settled-friends.ts';

/** The honest member is the first, and was brought by nobody. */
const HONEST: readonly Friend[] = [
  { referrer: null, domain: 'gmail.com', name: 'ada', confirmedMinute: 0 },
  ...Array.from({ length: 30 }, (_, n): Friend => {
    const domain = n % 3 === 0 ? 'school.example' : 'gmail.com';
    return { referrer: 0, domain, name: `friend.${n}`, confirmedMinute: 60 + n };
  }),
  { referrer: 1, domain: 'gmail.com', name: 'friend.of.a.friend', confirmedMinute: 95 },
  ...Array.from({ length: 6 }, (_, n): Friend => {
    return { referrer: 0, domain: 'duck.com', name: `alias${n}`, confirmedMinute: 100 + n };
  }),
  ...Array.from({ length: 4 }, (_, n): Friend => {
    return { referrer: 0, domain: 'office.example', name: `late${n}`, confirmedMinute: null };
  }),
];
const many = (count: number, make: (n: number) => Partial<Friend>): Friend[] =>
  Array.from({ length: count }, (_, n) => ({
    referrer: null,
    domain: 'rival.example',
    confirmedMinute: null,
    ...make(n),
  }));

/** Friends whose addresses the rival cannot read stay unconfirmed. */
const SABOTAGES: Readonly<Record<string, readonly Friend[]>> = {
  'invents friends for the member': many(28, () => ({ referrer: 0 })),
  'brings real accounts to the member': many(60, (n) => ({ referrer: 0, confirmedMinute: n })),
  'brings accounts at the domain of the friends': many(40, (n) => ({
    referrer: 0,
    domain: 'mail.school.example',
    confirmedMinute: n,
  })),
  'types other spellings of friends under a code of their own': many(10, (n) => ({
    domain: 'gmail.com',
    name: `friend${n}+early`,
  })),
  'confirms a mailbox of their own in the spelling of a tag': many(5, (n) => ({
    name: `own+${n}`,
    confirmedMinute: n,
  })),
  'makes a series of names': many(4, (n) => ({
    referrer: 0,
    domain: 'gmail.com',
    name: `friend.${n + 100}`,
  })),
  'brings a crowd to a friend of the member': many(80, (n) => ({
    referrer: 1,
    confirmedMinute: n,
  })),
  'brings a chain below a friend': many(20, (n) => ({
    referrer: n === 0 ? 1 : HONEST.length + n - 1,
    confirmedMinute: n,
  })),
  'brings addresses of services for aliases': many(40, (n) => ({
    referrer: 0,
    domain: n % 2 === 0 ? 'duck.com' : 'simplelogin.com',
    confirmedMinute: n,
  })),
  'brings names below one that anybody registers for nothing': many(40, (n) => ({
    referrer: 0,
    domain: `rival${n}.duckdns.org`,
    confirmedMinute: n,
  })),
  'brings one mailbox in many spellings': many(30, (n) => ({
    referrer: 0,
    domain: 'gmail.com',
    name: `own+${n}`,
    confirmedMinute: n,
  })),
  'confirms a friend of the member for a code of their own later': many(3, (n) => ({
    domain: 'gmail.com',
    name: `friend${3 * n + 1}+late`,
    confirmedMinute: 200 + n,
  })),
  'types the addresses of friends with other dots': many(6, (n) => ({
    domain: 'gmail.com',
    name: `f.riend${n}`,
  })),
  'invents friends for every friend': many(90, (n) => ({ referrer: 1 + (n % 30) })),
  'brings colleagues of friends who have not confirmed': many(40, (n) => ({
    referrer: 0,
    domain: 'office.example',
    confirmedMinute: n,
  })),
  'brings accounts that are brought by one another in a ring of codes': many(12, (n) => ({
    referrer: n < 6 ? 0 : HONEST.length + n - 6,
    confirmedMinute: n,
  })),
  'brings accounts at names of their own': many(40, (n) => ({
    referrer: 0,
    domain: `own${n}.example`,
    confirmedMinute: n,
  })),
};

describe.each(oneEngine)('a rival on %s', (engine) => {
  const place = provideLine(engine, {}, 'all');
  afterEach(async () => {
    await place.database.runSql('delete from member');
  });

  /** What the honest member and the friend with a friend count for. */
  async function play(rivals: readonly Friend[]) {
    const ids = await insertFriends(place.database, [...HONEST, ...rivals]);
    const reader = openStatusReader({ database: place.database, brand });
    const [member, friend] = await Promise.all(ids.slice(0, 2).map((id) => reader.getStatus(id)));
    await reader.close();
    await place.database.runSql('delete from member');
    return [member, friend].map((one) => ({
      counting: one?.referral_count ?? 0,
      confirmed: one?.confirmed_referrals ?? 0,
      settled: one?.settled_referrals ?? 0,
    }));
  }

  test.each(Object.entries(SABOTAGES))('who %s takes nothing', async (_, rivals) => {
    const [alone, beside] = [await play([]), await play(rivals)];
    for (const [index, before] of alone.entries())
      for (const [count, least] of Object.entries(before))
        expect(beside[index]?.[count as keyof typeof before], count).toBeGreaterThanOrEqual(least);
  });
});
