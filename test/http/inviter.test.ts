/** "Who invited you?": a member who joined without an invite names their inviter. */
import { describe, expect, test } from 'vitest';
import { apiPaths, fillPath, pagePaths } from '../../contract/paths.ts';
import type { App } from '../../server/app.ts';
import { GUESSES_PER_IP } from '../../server/guard/limits/limit-rules.ts';
import { confirmMember, removeMember } from '../../server/line/change-member.ts';
import { countJoins } from '../../server/line/funnel/count-joins.ts';
import { getSource } from '../../server/line/sources/source-store.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { provideApp } from './provide-app.ts';

const ORIGIN = 'https://line.example.com';
const LATER = "update member set joined_at = joined_at - interval '24 hours' where id = '";

function give(app: App, id: string, invite: string, headers: Record<string, string> = {}) {
  const url = fillPath(apiPaths.inviter, id);
  return app.fastify.inject({ method: 'POST', url, payload: { invite }, headers });
}

describe.each(oneEngine)('the inviter of a member on %s', (engine) => {
  const app = provideApp(engine);
  const { statusOf } = app;
  const readUntil = async (id: string) => (await app.read(fillPath(apiPaths.inviter, id))).until;
  const answer = async (id: string, invite: string, on: App = app) => {
    const response = await give(on, id, invite);
    return [response.statusCode, response.json().detail];
  };

  const step = tellStory('goes through one step after the other');

  step('is credited as at the join, so that both move, and is given once', async () => {
    const plain = await app.join('plain@example.com');
    const ada = await app.join('ada@example.com');
    const late = await app.join('late@example.com');
    const until = Date.parse(await readUntil(late.id));
    expect(Math.abs(until - Date.now() - 86_400_000)).toBeLessThan(600_000);
    const path = fillPath(pagePaths.invite, ada.referral_code.toLowerCase());
    const given = await give(app, late.id, ` ${ORIGIN}${path}?via=whatsapp `);
    expect([given.statusCode, given.json()]).toEqual([200, await statusOf(late.id)]);
    const line = await Promise.all([ada, late, plain].map(({ id }) => statusOf(id)));
    expect(line.map(({ position }) => position)).toEqual([1, 2, 3]);
    expect(line[0]).toMatchObject({ referral_count: 1 });
    expect(await getSource(app.database, late.id)).toMatchObject({ via: 'whatsapp' });
    const due = await app.sql('select member_id from notification_due');
    expect(due).toEqual([{ member_id: ada.id }]);

    expect(await readUntil(late.id)).toBeNull();
    const known = [409, expect.stringContaining('already')];
    expect(await answer(late.id, plain.referral_code)).toEqual(known);
    const invited = await app.join('invited@example.com', ada.referral_code);
    expect(await answer(invited.id, plain.referral_code)).toEqual(known);
    expect(await statusOf(ada.id)).toMatchObject({ referral_count: 2 });
  });

  step('is refused where there is none to credit', async () => {
    const [eve, bob] = [await app.join('eve@example.com'), await app.join('bob@example.com')];
    const friend = await app.join('friend@example.com', eve.referral_code);
    const next = await app.join('next@example.com', friend.referral_code);
    const gone = await app.join('gone@example.com');
    await removeMember(app.database, { memberId: gone.id });
    await app.sql(`${LATER}${bob.id}'`);
    for (const [id, text, status, words] of [
      [eve.id, '', 422, 'invite link'],
      [eve.id, 'https://other.example/invite/0123456789', 422, 'invite link'],
      [eve.id, '0123456789', 422, 'No member'],
      [eve.id, `${ORIGIN}/?ref=0123456789`, 422, 'No member'],
      [eve.id, gone.referral_code, 422, 'No member'],
      [eve.id, eve.referral_code, 409, 'own'],
      [eve.id, friend.referral_code, 409, 'your invite'],
      [eve.id, next.referral_code, 409, 'your invite'],
      [crypto.randomUUID(), bob.referral_code, 404, ''],
      ['nobody', bob.referral_code, 404, ''],
      [gone.id, eve.referral_code, 404, ''],
      [bob.id, eve.referral_code, 409, '24'],
    ] as const)
      expect(await answer(id, text)).toEqual([status, expect.stringContaining(words)]);
    expect(await readUntil(bob.id)).toBeNull();
    expect(await statusOf(eve.id)).toMatchObject({ referral_count: 1 });
  });

  step('is found in a pasted message', async () => {
    const { referral_code: code } = await app.join('pasting@example.com');
    const { id } = await app.join('pasted@example.com');
    const text = `${'a long story '.repeat(300)}<${ORIGIN}/?ref=${code}>`;
    expect(await answer(id, text)).toEqual([200, undefined]);
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
    const counts = await Promise.all([one, two].map(({ id }) => statusOf(id)));
    expect(counts[0].referral_count + counts[1].referral_count).toBe(2);
    await other.close();
  });

  step('waits for the member to confirm where friends must, if they have not yet', async () => {
    const confirming = await app.openAnother({ referralCredit: 'confirm' });
    const ada = await app.join('ada2@example.com');
    const [first, second] = [await app.join('f1@example.com'), await app.join('f2@example.com')];
    const own = async () =>
      (await confirming.fastify.inject(fillPath(apiPaths.status, ada.id))).json();
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
      const [row] = await app.sql<Record<'joins' | 'invited' | 'friends', number>>(`
        select sum(joins)::integer as joins, sum(invited)::integer as invited,
          (select sum(friends) from cohort_count)::integer as friends from join_count`);
      return row ?? { joins: 0, invited: 0, friends: 0 };
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
    await app.expectWhole();
  });
});

describe('naming an inviter', () => {
  const app = provideApp('postgres', { trustProxy: ['127.0.0.1'], isLimiting: true });
  const from = (address: string) => ({ 'x-forwarded-for': address });

  test('limits wrong codes of each address', async () => {
    const joined = await app.post(
      apiPaths.join,
      { email: 'guess@example.net' },
      from('203.0.113.77'),
    );
    const { id, referral_code: own } = joined;
    const at = from('203.0.113.78');
    const codes: number[] = [];
    for (let nth = 0; nth <= GUESSES_PER_IP.max; nth += 1)
      codes.push((await give(app, id, String(1_000_000_000 + nth), at)).statusCode);
    expect(codes.filter((code) => code === 422)).toHaveLength(GUESSES_PER_IP.max);
    expect(codes.at(-1)).toBe(429);
    expect((await give(app, id, own, from('203.0.113.79'))).statusCode).toBe(409);
  });
});
