/** An address that was entered for several codes: its owner says whose friend they are. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import { removeMember } from '../../server/line/change-member.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { open, pageOf, postForm, SECRET_KEY, tokenOf } from './mail-links.ts';
import { openTestApp, type TestApp } from './test-app.ts';

describe.each(oneEngine)('an address of several codes on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine, { inviterEmail: 'masked', secretKey: SECRET_KEY });
  });
  afterAll(() => app.remove());

  const pathOf = (id: string) => fillPath(mailPagePaths.confirm, tokenOf(id, 'confirm'));
  async function enter(email: string, referredBy: string): Promise<number> {
    const payload = { email, referred_by: referredBy };
    return (await app.fastify.inject({ method: 'POST', url: apiPaths.join, payload })).statusCode;
  }
  const countOf = async (id: string) =>
    (await app.fastify.inject(fillPath(apiPaths.status, id))).json().referral_count;
  const choicesOf = ({ payload }: { payload: string }) =>
    [...payload.matchAll(/name="invited_by" value="(\w+)">([^<]+)</g)].map(([, ...one]) => one);
  async function expectWhole(): Promise<void> {
    expect((await verifyLine(app.database)).differences).toEqual([]);
  }
  let entered = 0;
  async function enterTwice() {
    entered += 1;
    const rival = await app.join(`rival${entered}@example.com`);
    const honest = await app.join(`honest${entered}@example.com`);
    const email = `friend${entered}@example.com`;
    const friend = await app.join(email, rival.referral_code);
    expect(await countOf(rival.id)).toBe(1);
    expect(await enter(email, honest.referral_code)).toBe(409);
    return { rival, honest, friend, email };
  }

  const step = tellStory('goes through one step after the other');

  step('it counts for nobody, until the owner of the address names one of them', async () => {
    const { rival, honest, friend, email } = await enterTwice();
    expect([await countOf(rival.id), await countOf(honest.id)]).toEqual([0, 0]);
    expect(await enter(email, honest.referral_code)).toBe(409);
    expect(await enter(email, rival.referral_code)).toBe(409);
    await expectWhole();

    const asked = await open(app, pathOf(friend.id));
    expect(pageOf(asked)).toBe('confirm-asked');
    expect(choicesOf(asked)).toEqual([
      [rival.referral_code, 'ri•••@example.com'],
      [honest.referral_code, 'ho•••@example.com'],
      ['none', 'None of them'],
    ]);
    expect(pageOf(await postForm(app, pathOf(friend.id)))).toBe('confirm-asked');
    const answered = await postForm(app, pathOf(friend.id), { invited_by: honest.referral_code });
    expect(pageOf(answered)).toBe('confirmed');
    expect([await countOf(rival.id), await countOf(honest.id)]).toEqual([0, 1]);
    await expectWhole();

    expect(await enter(email, rival.referral_code)).toBe(409);
    expect(pageOf(await open(app, pathOf(friend.id)))).toBe('confirm');
    expect([await countOf(rival.id), await countOf(honest.id)]).toEqual([0, 1]);
  });

  step('it stays with nobody if none of them invited the owner, or another is named', async () => {
    for (const answer of ['none', 'ZZZZZZZZZZ']) {
      const { rival, honest, friend } = await enterTwice();
      await postForm(app, pathOf(friend.id), { invited_by: answer });
      expect([await countOf(rival.id), await countOf(honest.id)]).toEqual([0, 0]);
    }
    await expectWhole();
  });

  step('the call asks for the code, too', async () => {
    const { rival, friend } = await enterTwice();
    const confirm = async (more: object) => {
      const payload = { token: tokenOf(friend.id, 'confirm'), ...more };
      return await app.fastify.inject({ method: 'POST', url: apiPaths.confirm, payload });
    };
    expect((await confirm({})).statusCode).toBe(409);
    expect((await confirm({ invited_by: rival.referral_code })).statusCode).toBe(200);
    expect(await countOf(rival.id)).toBe(1);
    await expectWhole();
  });

  step('what an operator decided about the friend stays', async () => {
    const { rival, honest, friend } = await enterTwice();
    await app.database.runSql(`
      update member set credit = 'held' where id = '${friend.id}';
      insert into credit_case (member_id, decided_at, decided_by)
      values ('${friend.id}', now(), 'operator')`);
    await postForm(app, pathOf(friend.id), { invited_by: honest.referral_code });
    expect([await countOf(rival.id), await countOf(honest.id)]).toEqual([0, 0]);
    await expectWhole();
  });

  step('nobody is asked about once all of them have left', async () => {
    const { rival, honest, friend } = await enterTwice();
    for (const { id } of [rival, honest]) await removeMember(app.database, { memberId: id });
    expect(pageOf(await open(app, pathOf(friend.id)))).toBe('confirm');
    expect(pageOf(await postForm(app, pathOf(friend.id)))).toBe('confirmed');
    await expectWhole();
  });
});
