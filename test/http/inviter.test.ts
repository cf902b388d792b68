/** "Who invited you?": a member who joined without an invite names their inviter. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiPaths, fillPath, pagePaths } from '../../contract/paths.ts';
import type { App } from '../../server/app.ts';
import { GUESSES_PER_IP } from '../../server/guard/limits/limit-rules.ts';
import { confirmMember, removeMember } from '../../server/line/change-member.ts';
import { countJoins } from '../../server/line/funnel/count-joins.ts';
import { getSource } from '../../server/line/sources/source-store.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { openTestApp, type TestApp } from './test-app.ts';

const ORIGIN = 'https://line.example.com';
const LATER = "update member set joined_at = joined_at - interval '24 hours' where id = '";

function give(app: App, id: string, invite: string, headers: Record<string, string> = {}) {
  const url = fillPath(apiPaths.inviter, id);
  return app.fastify.inject({ method: 'POST', url, payload: { invite }, headers });
}

describe.each(oneEngine)('the inviter of a member on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine);
  });
  afterAll(async () => {
    expect((await verifyLine(app.database)).differences).toEqual([]);
    await app.remove();
  });

  const ask = async (path: string) => (await app.fastify.inject(path)).json();
  const status = (id: string) => ask(fillPath(apiPaths.status, id));
  const answer = async (id: string, invite: string, on: App = app) => {
    const response = await give(on, id, invite);
    return [response.statusCode, response.json().detail];
  };

  const step = tellStory('goes through one step after the other');

  step('is credited as at the join, so that both move, and is given once', async () => {
    const plain = await app.join('plain@example.com');
    const ada = await app.join('ada@example.com');
    const late = await app.join('late@example.com');
    const until = Date.parse((await ask(fillPath(apiPaths.inviter, late.id))).until);
    expect(Math.abs(until - Date.now() - 86_400_000)).toBeLessThan(600_000);
    const path = fillPath(pagePaths.invite, ada.referral_code.toLowerCase());
    const link = `${ORIGIN}${path}?via=whatsapp`;
    const given = await give(app, late.id, ` ${link} `);
    expect([given.statusCode, given.json()]).toEqual([200, await status(late.id)]);
    const line = [ada, late, plain].map(({ id }) => status(id));
    expect((await Promise.all(line)).map(({ position }) => position)).toEqual([1, 2, 3]);
    expect(await status(ada.id)).toMatchObject({ referral_count: 1 });
    expect(await getSource(app.database, late.id)).toMatchObject({ via: 'whatsapp' });
    const { rows } = await app.database.runSql('select member_id from notification_due');
    expect(rows).toEqual([{ member_id: ada.id }]);

    expect(await ask(fillPath(apiPaths.inviter, late.id))).toEqual({ until: null });
    const known = [409, expect.stringContaining('already')];
    expect(await answer(late.id, plain.referral_code)).toEqual(known);
    const invited = await app.join('invited@example.com', ada.referral_code);
    expect(await answer(invited.id, plain.referral_code)).toEqual(known);
    expect(await status(ada.id)).toMatchObject({ referral_count: 2 });
  });

  step('is refused where there is none to credit', async () => {
    const [eve, bob] = [await app.join('eve@example.com'), await app.join('bob@example.com')];
    const friend = await app.join('friend@example.com', eve.referral_code);
    const next = await app.join('next@example.com', friend.referral_code);
    for (const text of ['', 'hello', 'https://other.example/invite/0123456789', 'ABCDEFGHJ%'])
      expect(await answer(eve.id, text)).toEqual([422, expect.stringContaining('invite link')]);
    for (const text of ['0123456789', `${ORIGIN}/?ref=0123456789`])
      expect(await answer(eve.id, text)).toEqual([422, expect.stringContaining('No member')]);
    expect(await answer(eve.id, eve.referral_code)).toEqual([409, expect.stringContaining('own')]);
    for (const { referral_code: code } of [friend, next])
      expect(await answer(eve.id, code)).toEqual([409, expect.stringContaining('your invite')]);
    expect((await answer(crypto.randomUUID(), bob.referral_code))[0]).toBe(404);
    expect((await answer('nobody', bob.referral_code))[0]).toBe(404);
    const gone = await app.join('gone@example.com');
    await removeMember(app.database, { memberId: gone.id });
    expect((await answer(eve.id, gone.referral_code))[0]).toBe(422);
    expect((await answer(gone.id, eve.referral_code))[0]).toBe(404);
    await app.database.runSql(`${LATER}${bob.id}'`);
    expect(await answer(bob.id, eve.referral_code)).toEqual([409, expect.stringContaining('24')]);
    expect(await ask(fillPath(apiPaths.inviter, bob.id))).toEqual({ until: null });
    expect(await status(eve.id)).toMatchObject({ referral_count: 1 });
  });

  step('is found in a pasted message', async () => {
    const { referral_code: code } = await app.join('pasting@example.com');
    for (const [nth, text] of [
      `Use my link. Start higher: ${ORIGIN}/invite/${code}`,
      `${ORIGIN}/invite/${code}.`,
      `<${ORIGIN}/invite/${code}>`,
      `${ORIGIN}/invite/${code}”`,
      `Everything is at https://elsewhere.example, and my code is ${code}!`,
      `${'a long story '.repeat(300)}${ORIGIN}/?ref=${code}`,
    ].entries()) {
      const { id } = await app.join(`pasted${nth}@example.com`);
      expect([text, ...(await answer(id, text))]).toEqual([text, 200, undefined]);
    }
  });

  step('is given once, however many tabs and servers ask at once', async () => {
    const other = await app.openAnother();
    const one = await app.join('one@example.com');
    const two = await app.join('two@example.com');
    const racing = await app.join('racing@example.com');
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, nth) =>
        give(
          [app, other][nth % 2] as App,
          racing.id,
          [one, two][nth % 3 ? 0 : 1]?.referral_code ?? '',
        ),
      ),
    );
    const codes = answers.map(({ statusCode }) => statusCode);
    expect(codes.toSorted()).toEqual([200, ...Array(23).fill(409)]);
    // Each the inviter of the other: the second of the two is refused.
    const mutual = await Promise.all([
      give(app, one.id, two.referral_code),
      give(other, two.id, one.referral_code),
    ]);
    expect(mutual.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    const counts = await Promise.all([one, two].map(({ id }) => status(id)));
    expect(counts[0].referral_count + counts[1].referral_count).toBe(2);
    await other.close();
  });

  step('waits for the member to confirm where friends must, if they have not yet', async () => {
    const confirming = await app.openAnother({ referralCredit: 'confirm' });
    const ada = await app.join('ada2@example.com');
    const [first, second] = [await app.join('f1@example.com'), await app.join('f2@example.com')];
    const own = async () =>
      (await confirming.fastify.inject(fillPath(apiPaths.status, ada.id))).json() as object;
    await answer(first.id, ada.referral_code, confirming);
    expect(await own()).toMatchObject({ referral_count: 0, joined_referrals: 1 });
    await confirmMember(app.database, { memberId: first.id });
    await confirmMember(app.database, { memberId: second.id });
    expect(await own()).toMatchObject({ referral_count: 1, joined_referrals: 1 });
    await answer(second.id, ada.referral_code, confirming);
    expect(await own()).toMatchObject({ referral_count: 2, joined_referrals: 2 });
    await confirming.close();
  });

  step('counts in the overview, whether the join was counted before or not', async () => {
    const counts = async () => {
      await countJoins(app.database, { maxMs: 60_000 });
      const { rows } = await app.database.runSql(`
        select sum(joins)::integer as joins, sum(invited)::integer as invited,
          (select sum(friends) from cohort_count)::integer as friends from join_count`);
      return rows[0] as { joins: number; invited: number; friends: number };
    };
    const { referral_code: code } = await app.join('counted@example.com');
    const [early, later] = [await app.join('e@example.com'), await app.join('l@example.com')];
    await give(app, early.id, code);
    const before = await counts();
    await give(app, later.id, `See line.example.com/invite/${code}/?via=sms.`);
    expect(await getSource(app.database, later.id)).toMatchObject({ via: 'sms' });
    expect(await counts()).toEqual({
      joins: before.joins,
      invited: before.invited + 1,
      friends: before.friends + 1,
    });
  });
});

describe('naming an inviter', () => {
  const PROXY = { trustProxy: ['127.0.0.1'], isLimiting: true };
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp('postgres', PROXY);
  });
  afterAll(() => app.remove());
  const from = (address: string) => ({ 'x-forwarded-for': address });

  async function join(email: string, address: string) {
    const url = apiPaths.join;
    const request = { method: 'POST', url, payload: { email }, headers: from(address) } as const;
    return (await app.fastify.inject(request)).json();
  }

  test('limits wrong codes of each address', async () => {
    const { id, referral_code: own } = await join('guess@example.net', '203.0.113.77');
    const at = from('203.0.113.78');
    const codes: number[] = [];
    for (let nth = 0; nth <= GUESSES_PER_IP.max; nth += 1)
      codes.push((await give(app, id, String(1_000_000_000 + nth), at)).statusCode);
    expect(codes.filter((code) => code === 422)).toHaveLength(GUESSES_PER_IP.max);
    expect(codes.at(-1)).toBe(429);
    expect((await give(app, id, own, from('203.0.113.79'))).statusCode).toBe(409);
  });
});
