/** A friend whose mailbox bounces or complains does not count, until they confirm it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import type { Config } from '../../server/config.ts';
import { refuseBounced } from '../../server/fairness/refuse-bounced.ts';
import { confirmMember } from '../../server/line/change-member.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { linkSuppression, suppressAddress } from '../../server/mail/suppression/store.ts';
import { oneEngine } from '../support/engines.ts';
import { SECRET_KEY } from './mail-links.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };

describe.each(oneEngine)('a bounce or complaint on %s', (engine) => {
  let app: TestApp;
  let joined = 0;
  beforeAll(async () => {
    app = await openTestApp(engine, { referralCredit: 'settle', secretKey: SECRET_KEY });
  });
  afterAll(async () => {
    expect((await verifyLine(app.database)).differences).toEqual([]);
    await app.remove();
  });

  async function joinFriend() {
    joined += 1;
    const inviter = await app.join(`inviter${joined}@example.com`);
    const email = `friend${joined}@example.com`;
    const friend = await app.join(email, inviter.referral_code);
    const isCounted = async () =>
      (await app.fastify.inject(fillPath(apiPaths.status, inviter.id))).json().referral_count === 1;
    return { id: friend.id, email, isCounted };
  }

  const fail = (identity: string, reason: 'stopped' | 'bounced' | 'complained' = 'bounced') =>
    suppressAddress(app.database, SECRET_KEY, { identity, reason });
  const run = (referralCredit: Config['referralCredit'] = 'settle') =>
    refuseBounced({ database: app.database, brand, config: { referralCredit } });
  const confirm = (memberId: string) => confirmMember(app.database, { memberId });
  const change = async (kind: string, input: object) =>
    await app.fastify.inject({
      method: 'POST',
      url: operatorPaths.changes,
      payload: { kind, input, reason: 'looked at it' },
      headers: HEADERS,
    });

  test.each(['bounced', 'complained'] as const)(
    '%s refuses the credit, with an entry in the log',
    async (reason) => {
      const friend = await joinFriend();
      await fail(friend.email, reason);
      expect(await friend.isCounted()).toBe(true);
      await run();
      expect(await friend.isCounted()).toBe(false);
      const { rows } = await app.database.runSql('select count(*)::integer as n from audit_entry');
      await run();
      expect(
        (await app.database.runSql('select count(*)::integer as n from audit_entry')).rows,
      ).toEqual(rows);
      const { entries } = (
        await app.fastify.inject({ url: operatorPaths.changes, headers: HEADERS })
      ).json();
      expect(entries[0]).toMatchObject({
        action: 'decide-credits',
        actor: { kind: 'system', name: 'bounces' },
        summary: expect.stringMatching(/^1 friend was refused, \d+ positions? moved\.$/),
        subject: { kind: 'member', id: friend.id },
      });
    },
  );

  test('a confirmation makes the friend count again, also from a corrected address', async () => {
    const [late, corrected] = [await joinFriend(), await joinFriend()];
    for (const { email } of [late, corrected]) await fail(email);
    await run();
    await confirm(late.id);
    expect(await late.isCounted()).toBe(true);
    await change('correct-address', { member_id: corrected.id, email: 'right@example.com' });
    await run();
    expect(await corrected.isCounted()).toBe(false);
    await confirm(corrected.id);
    expect(await corrected.isCounted()).toBe(true);
  });

  test('changes nothing about a friend who has confirmed, or an operator decided on', async () => {
    const [confirmed, decided] = [await joinFriend(), await joinFriend()];
    await confirm(confirmed.id);
    await change('decide-credits', { state: 'given', member_ids: [decided.id] });
    for (const { email } of [confirmed, decided]) await fail(email);
    await run();
    expect([await confirmed.isCounted(), await decided.isCounted()]).toEqual([true, true]);
  });

  test('leaves a credit that an operator refuses refused, whoever confirms', async () => {
    const friend = await joinFriend();
    await fail(friend.email);
    await run();
    await change('decide-credits', { state: 'refused', member_ids: [friend.id] });
    await confirm(friend.id);
    expect(await friend.isCounted()).toBe(false);
  });

  test('undoing what an operator decided since leaves a confirmed friend counted', async () => {
    const friend = await joinFriend();
    await fail(friend.email);
    await run();
    const made = (
      await change('decide-credits', { state: 'given', member_ids: [friend.id] })
    ).json();
    await confirm(friend.id);
    const undone = await app.fastify.inject({
      method: 'POST',
      url: fillPath(operatorPaths.undoChange, String(made.change)),
      payload: { reason: 'a mistake' },
      headers: HEADERS,
    });
    expect(undone.statusCode).toBe(201);
    expect(await friend.isCounted()).toBe(true);
  });

  test('counts from an address that bounced before somebody joined with it', async () => {
    await fail(`friend${joined + 1}@example.com`);
    const friend = await joinFriend();
    await linkSuppression(app.database, SECRET_KEY, { id: friend.id, identity: friend.email });
    await run();
    expect(await friend.isCounted()).toBe(false);
  });

  test('who only stopped the mails still counts', async () => {
    const [stopped, bounced] = [await joinFriend(), await joinFriend()];
    await fail(stopped.email, 'stopped');
    await fail(bounced.email);
    await run();
    expect([await stopped.isCounted(), await bounced.isCounted()]).toEqual([true, false]);
    await fail(stopped.email);
    await run('confirm');
    expect(await stopped.isCounted()).toBe(false);
  });
});
