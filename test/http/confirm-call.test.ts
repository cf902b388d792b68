/** The status page confirms the address of its member by the token of a mail to them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { oneEngine } from '../support/engines.ts';
import { readKeptMail, SECRET_KEY, settleMail, tokenOf } from './mail-links.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const REFUSED = {
  status: 403,
  detail: 'This link does not work any more: use a newer mail.',
};

describe.each(oneEngine)('the call that confirms an address on %s', (engine) => {
  let app: TestApp;
  let joined = 0;
  beforeAll(async () => {
    app = await openTestApp(engine, { secretKey: SECRET_KEY, referralCredit: 'settle' });
  });
  afterAll(() => app.remove());

  const join = () => {
    joined += 1;
    return app.join(`friend${joined}@example.com`);
  };
  const isConfirmed = async ({ id }: { id: string }) =>
    (await app.fastify.inject(fillPath(apiPaths.status, id))).json().is_confirmed;

  async function confirm(payload: object, { fastify }: Pick<TestApp, 'fastify'> = app) {
    const call = { method: 'POST', url: apiPaths.confirm, remoteAddress: '192.0.2.1' } as const;
    const answer = await fastify.inject({ ...call, payload });
    return { status: answer.statusCode, ...answer.json() };
  }

  async function readMailedToken({ id }: { id: string }): Promise<string> {
    await settleMail(app);
    return /#confirm=3D([\w-]+)/.exec(readKeptMail(app, id).at(-1) ?? '')?.[1] ?? '';
  }

  test('takes the token of the status link in the first mail, however often it comes', async () => {
    const member = await join();
    const token = await readMailedToken(member);
    const answers = await Promise.all([1, 2, 3].map(() => confirm({ token })));
    for (const answer of [...answers, await confirm({ token })])
      expect(answer).toEqual({ status: 200, member_id: member.id });
    expect(await isConfirmed(member)).toBe(true);
  });

  test('refuses a token that is wrong, expired, or for something else', async () => {
    const member = await join();
    const right = tokenOf(member.id, 'confirm');
    for (const token of [
      '',
      'x',
      `${right}x`,
      right.slice(1),
      tokenOf(member.id, 'confirm', { inDays: -1 }),
      ...(['preferences', 'offer', 'reward'] as const).map((what) => tokenOf(member.id, what)),
    ])
      expect(await confirm({ token })).toMatchObject(REFUSED);
    expect(await isConfirmed(member)).toBe(false);
    expect(await confirm({ token: right })).toMatchObject({ status: 200 });
  });

  test('refuses what is no token with a sentence', async () => {
    for (const body of [{}, { token: 1 }, { token: 'x'.repeat(201) }]) {
      const { status, detail } = await confirm(body);
      expect(status).toBe(422);
      expect(detail).toMatch(/token/);
    }
  });

  test('refuses the token of a mail to an address that was corrected since', async () => {
    const member = await join();
    const token = await readMailedToken(member);
    const payload = {
      kind: 'correct-address',
      input: { member_id: member.id, email: 'right@example.com' },
      reason: 'a wrong letter',
    };
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    await app.fastify.inject({ method: 'POST', url: operatorPaths.changes, payload, headers });
    expect(await confirm({ token })).toMatchObject(REFUSED);
    expect(await isConfirmed(member)).toBe(false);
  });

  test('refuses the token of a member who has left', async () => {
    expect(
      await confirm({ token: tokenOf('018f0000-0000-7000-8000-000000000000', 'confirm') }),
    ).toMatchObject(REFUSED);
  });

  test('counts wrong tokens by address', async () => {
    const limited = await app.openAnother({ isLimiting: true });
    for (let call = 0; call < 60; call += 1)
      expect(await confirm({ token: 'wrong' }, limited)).toMatchObject(REFUSED);
    expect(await confirm({ token: 'wrong' }, limited)).toMatchObject({ status: 429 });
    await limited.close();
  });
});
