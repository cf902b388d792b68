/** A reward that costs money waits until enough of its member's friends have confirmed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { confirmMember } from '../../server/line/change-member.ts';
import { oneEngine } from '../support/engines.ts';
import { readKeptMail, SECRET_KEY, settleMail } from './mail-links.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };
/** docs/rebrand.md: tier 1 takes three friends, and asks for an address. */
const REQUIRED = 3;
const WAITING = '1 other waits: too few of their friends have confirmed their address.';

describe.each(oneEngine)('a reward whose friends have yet to confirm on %s', (engine) => {
  let app: TestApp;
  const friends: string[] = [];
  let memberId: string;
  const post = async (url: string, payload: object) => {
    const answer = await app.fastify.inject({ method: 'POST', url, payload, headers: HEADERS });
    return { status: answer.statusCode, ...answer.json() };
  };
  const ask = (input: object = {}) =>
    post(operatorPaths.changes, {
      kind: 'ask-rewards',
      input: { tier: 1, ...input },
      reason: 'launch day',
    });
  const preview = () =>
    post(operatorPaths.previewChange, { kind: 'ask-rewards', input: { tier: 1 } });
  const askedMails = async (id: string) => {
    await settleMail(app);
    return readKeptMail(app, id).filter((mail) => mail.includes('/rewards/')).length;
  };

  const readStatus = async () =>
    (await app.fastify.inject(fillPath(apiPaths.status, memberId))).json();

  beforeAll(async () => {
    app = await openTestApp(engine, { secretKey: SECRET_KEY, referralCredit: 'settle' });
    memberId = await joinWith('waiting', friends);
    const settled: string[] = [];
    settled.push(await joinWith('settled', settled), memberId);
    for (const friend of settled) await confirmMember(app.database, { memberId: friend });
  });
  afterAll(() => app.remove());

  async function joinWith(name: string, ids: string[]): Promise<string> {
    const { id, referral_code: code } = await app.join(`${name}@example.com`);
    for (let friend = 0; friend < REQUIRED; friend += 1)
      ids.push((await app.join(`${name}${friend}@example.com`, code)).id);
    return id;
  }

  test('is owed at once, and its member is asked about it once enough have', async () => {
    const url = `${fillPath(operatorPaths.rewardsOfTier, '1')}?state=owed`;
    const owed = (await app.fastify.inject({ url, headers: HEADERS })).json().rewards;
    expect(owed).toHaveLength(2);
    expect(await readStatus()).toMatchObject({ tier_level: 1, rewards_waiting: 1 });
    expect(await preview()).toMatchObject({
      sentences: expect.arrayContaining([WAITING]),
      counts: { rewards: 1, waiting: 1 },
    });
    expect(await ask()).toMatchObject({ status: 201 });
    for (const friend of friends.slice(1)) await confirmMember(app.database, { memberId: friend });
    expect(await ask({ member_ids: [memberId] })).toMatchObject({
      status: 409,
      detail:
        'Nobody would be asked about a reward of tier 1. 1 member waits: too few of their ' +
        'friends have confirmed their address.',
    });
    expect(await askedMails(memberId)).toBe(0);
    await confirmMember(app.database, { memberId: friends[0] ?? '' });
    expect(await ask()).toMatchObject({ status: 201 });
    expect(await askedMails(memberId)).toBe(1);
    expect(await readStatus()).not.toHaveProperty('rewards_waiting');
  });
});
