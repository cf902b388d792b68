/** What friends whom a rival invents change for the honest friends of a member: nothing. */
import { afterEach, describe, expect, test } from 'vitest';
import { apiPaths, pagePaths } from '../../contract/paths.ts';
import { SOURCE_HEADER } from '../../contract/sources.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { MINUTE_MS } from '../../server/durations.ts';
import { confirmMember } from '../../server/line/change-member.ts';
import { decideCredits, planDecision } from '../../server/line/credits/credit-store.ts';
import { oneEngine } from '../support/engines.ts';
import { moveClock } from '../support/moved-clock.ts';
import { isAll } from '../support/test-form.ts';
import { openTestApp, type TestApp } from './test-app.ts';

const FIRST = ['anna', 'ben', 'clara', 'david', 'emma', 'felix', 'gina', 'hugo', 'ida', 'jonas'];
const LAST = ['miller', 'weber', 'jones', 'lopez', 'garcia', 'novak', 'rossi', 'costa', 'silva'];
const BROWSERS = ['Safari/604.1', 'Chrome/142.0.0.0', 'Firefox/145.0', 'Edg/142.0.0.0'];
const FREEMAIL = ['gmail.com', 'gmx.de', 'web.de', 'yahoo.com', 'icloud.com'];
const CARRIER = '100.64.3.10';
const SIZES = isAll ? [1, 5, 28, 100] : [28];

/** One of 90 names of people. */
const nameOf = (n: number) => `${FIRST[n % 10]}.${LAST[Math.floor(n / 10) % 9]}`;
const browserOf = (n: number) => `Mozilla/5.0 (X11) ${BROWSERS[n % BROWSERS.length]}`;
const freemailOf = (n: number) => FREEMAIL[n % FREEMAIL.length] ?? '';

let app: TestApp;
afterEach(async () => {
  moveClock(0);
  await app.remove();
});

type Friend = {
  readonly email: string;
  readonly ip: string;
  readonly browser: string;
  readonly isScript?: boolean;
  readonly source?: string;
};
type Made = (n: number) => Partial<Friend>;

type Joined = { readonly id: string; readonly referral_code: string };

async function join(friend: Friend, code: string | null = null): Promise<Joined> {
  const [joined] = await joinAtOnce([friend], code);
  return joined as Joined;
}

/** All of them open the page, think for a minute, and join. */
async function joinAtOnce(friends: readonly Friend[], code: string | null): Promise<Joined[]> {
  const headersOf = ({ ip, browser }: Friend) => ({
    'x-forwarded-for': ip,
    'user-agent': browser,
    'accept-language': 'en',
  });
  const people = friends.filter(({ isScript = false }) => !isScript);
  moveClock(-MINUTE_MS);
  await Promise.all(
    people.map((one) => app.fastify.inject({ url: pagePaths.landing, headers: headersOf(one) })),
  );
  moveClock(0);
  const joins = friends.map(async (friend) => {
    const { email, source } = friend;
    const answer = await app.fastify.inject({
      method: 'POST',
      url: apiPaths.join,
      headers: { ...headersOf(friend), ...(source !== undefined && { [SOURCE_HEADER]: source }) },
      payload: { email, referred_by: code },
    });
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<Joined>();
  });
  return await Promise.all(joins);
}

/** A line in which people open the page, with all browsers, and then think for a while. */
async function openLine(engine: 'postgres' | 'embedded'): Promise<void> {
  app = await openTestApp(engine, { isLimiting: true, trustProxy: ['127.0.0.1'] });
  const strangers = Array.from({ length: 40 }, (_, n) => ({
    email: `stranger.${nameOf(n)}@gmail.com`,
    ip: `60.${n}.1.1`,
    browser: browserOf(n),
  }));
  await joinAtOnce(strangers, null);
}

async function creditsOf(memberId: string): Promise<Record<string, string>> {
  const { rows } = await app.database.runSql(
    `select email, credit from member where referrer_id = '${memberId}' order by sequence`,
  );
  return Object.fromEntries(
    (rows as { email: string; credit: string }[]).map(({ email, credit }) => [email, credit]),
  );
}

const KINDS: Record<string, Made> = {
  'by a coupon site': () => ({ source: 'referring_host=coupons-daily.example' }),
  'with throwaway mailboxes': (n) => ({ email: `${nameOf(n)}${n}@mailinator.com` }),
  'by a script': () => ({ isScript: true, ip: '185.7.7.7' }),
  'with the browser of the honest friends': () => ({ browser: browserOf(1) }),
  'in the network of honest friends': () => ({ ip: CARRIER, browser: 'Mozilla/5.0 rival' }),
  'with names like those of the honest friends': (n) => ({
    email: `${nameOf(n + 9)}.${2028 + Math.floor(n / 90)}@school.example`,
  }),
  'within an hour': (n) => ({ email: `hour.${nameOf(n)}${n}@gmail.com` }),
  'in a data centre': (n) => ({ ip: `185.9.9.${n % 8}` }),
  'with random names': (n) => ({ email: `xkqzvbtw${n}@outlook.com` }),
  'without a mailbox': (n) => ({ email: `${nameOf(n)}${n}@x.invalid` }),
  'with spellings of one mailbox': (n) => ({ email: `rival+${n}@gmail.com` }),
  'at a domain of their own': (n) => ({ email: `${nameOf(n)}${n}@rival.example` }),
};

describe.each(oneEngine)('false friends on %s', (engine) => {
  test.each(Object.entries(KINDS))('%s', async (kind, make) => {
    await openLine(engine);
    for (const size of SIZES) {
      let joined = 0;
      const { id, referral_code: code } = await join({
        email: `victim-${size}@gmail.com`,
        ip: `61.1.1.${size}`,
        browser: browserOf(2),
      });
      const honest: Record<string, string> = {};
      async function joinHonest(): Promise<void> {
        for (const [ip, domain] of [
          [`62.${size}.${joined}.1`, freemailOf(joined)],
          [`63.${size}.${joined}.1`, 'school.example'],
          [CARRIER, freemailOf(joined)],
        ] as const) {
          const email = `${nameOf(joined)}.2027.${size}@${domain}`;
          joined += 1;
          honest[email] = (await join({ email, ip, browser: browserOf(joined) }, code)).id;
        }
      }
      async function joinFalse(from: number, to: number): Promise<void> {
        for (let n = from; n < to; n += 1) {
          const plain = { email: `${nameOf(n)}.${size}.${n}@outlook.com`, ip: `70.${size}.${n}.9` };
          const { email = plain.email, ...rest } = make(n);
          const own = email.replace('@', size === SIZES[0] ? '@' : `.${size}@`);
          await join({ ...plain, browser: browserOf(n), ...rest, email: own }, code);
        }
      }
      await joinHonest();
      const before = await creditsOf(id);
      await joinFalse(0, Math.ceil(size / 2));
      await joinHonest();
      await joinFalse(Math.ceil(size / 2), size);
      await joinHonest();
      const after = await creditsOf(id);
      expect(after).toMatchObject(before);
      for (const [email, friend] of Object.entries(honest)) {
        // Only in the network of a hundred false friends somebody may have to confirm first.
        if (size < 100 || kind !== 'in the network of honest friends')
          expect(after[email], email).toBe('given');
        await confirmMember(app.database, { memberId: friend });
      }
      const confirmed = await creditsOf(id);
      for (const email of Object.keys(honest)) expect(confirmed[email], email).toBe('given');
    }
  });
});

test('a class keeps its credits when a rival has 28 friends come from a coupon site', async () => {
  await openLine('postgres');
  const { id, referral_code: code } = await join({
    email: 'victim@gmail.com',
    ip: '61.1.1.1',
    browser: browserOf(2),
  });
  for (let n = 0; n < 40; n += 1)
    await join(
      { email: `${nameOf(n)}@school.example`, ip: `62.1.${n}.1`, browser: browserOf(n) },
      code,
    );
  const source = 'referring_host=coupons-daily.example';
  for (let n = 0; n < 28; n += 1)
    await join(
      { email: `${nameOf(n)}.${n}@outlook.com`, ip: `70.1.${n}.9`, browser: browserOf(n), source },
      code,
    );
  await app.flushCounters();
  await app.database.runSql("update member set joined_at = joined_at - interval '1 minute'");
  for (const { everyMs, run } of app.scheduledWork) if (everyMs === MINUTE_MS) await run();
  const states = Object.values(await creditsOf(id));
  expect(states).toEqual(Array(68).fill('given'));
});

describe.each(oneEngine)('proof beats suspicion on %s', (engine) => {
  test.each([
    ['the tablet of a gym', 100, (n: number) => `${nameOf(n)}${n}@${freemailOf(n)}`, '64.1.1.1'],
    ['a class', 60, (n: number) => `${nameOf(n)}.2027@school.example`, '64.2.2.2'],
    ['an office', 80, (n: number) => `${nameOf(n)}@firm.example`, '64.3.3.3'],
  ] as const)('%s', async (_, size, emailOf, ip) => {
    await openLine(engine);
    const { id, referral_code: code } = await join({
      email: 'owner@gmail.com',
      ip: '61.1.1.1',
      browser: browserOf(2),
    });
    const friends: string[] = [];
    for (let n = 0; n < size; n += 1)
      friends.push((await join({ email: emailOf(n), ip, browser: 'Mozilla/5.0 fleet' }, code)).id);
    const count = async (state: string) =>
      Object.values(await creditsOf(id)).filter((credit) => credit === state).length;
    expect(await count('held')).toBeGreaterThan(size / 2);
    const [first = '', refused = ''] = friends.slice(-2);
    for (const [friendId, state] of [
      [refused, 'refused'],
      [first, 'held'],
    ] as const) {
      const decision = {
        friendIds: [friendId],
        state,
        needsConfirmation: false,
        alsoDecided: true,
      };
      const plan = await planDecision(app.database.kysely, decision);
      await inTransaction(app.database, (transaction) => decideCredits(transaction, plan));
    }
    for (const memberId of friends) await confirmMember(app.database, { memberId });
    expect([await count('given'), await count('held'), await count('refused')]).toEqual([
      size - 2,
      1,
      1,
    ]);
    const { rows } = await app.database.runSql(
      `select referral_count from standing where member_id = '${id}'`,
    );
    expect(rows).toEqual([{ referral_count: size - 2 }]);
  });

  test('a mailbox held for itself proves nothing, nor a free one for a series', async () => {
    await openLine(engine);
    const { id, referral_code: code } = await join({
      email: 'owner@gmail.com',
      ip: '61.1.1.1',
      browser: browserOf(2),
    });
    const own = { email: 'o.wner+1@gmail.com', ip: '61.1.2.1', browser: browserOf(1) };
    const series = (n: number, domain: string) => {
      return { email: `ada${n}@${domain}`, ip: `61.2.${n}.1`, browser: browserOf(n) };
    };
    const friends = [await join(own, code)];
    for (const n of [1, 2, 3]) friends.push(await join(series(n, 'gmail.com'), code));
    friends.push(await join(series(4, 'free.example'), code));
    for (const { id: memberId } of friends) await confirmMember(app.database, { memberId });
    expect(Object.values(await creditsOf(id))).toEqual(['held', 'given', 'given', 'given', 'held']);
  });
});
