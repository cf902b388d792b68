/** Confirming an address: by the page of a mail or a call of the status page, for an inviter. */
import { describe, expect, test } from 'vitest';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import type { App } from '../../server/app.ts';
import { removeMember } from '../../server/line/change-member.ts';
import { oneEngine } from '../support/engines.ts';
import { open, pageOf, placesOf, postForm, SECRET_KEY, tokenOf } from './mail-links.ts';
import { NOBODY, provideApp } from './provide-app.ts';

describe.each(oneEngine)('a friend who has to confirm, on %s', (engine) => {
  const app = provideApp(engine, { secretKey: SECRET_KEY, referralCredit: 'confirm' });
  const creditsOf = async (id: string) => (await app.statusOf(id)).referral_count;
  /** The path of the confirmation link in the newest mail to the member. */
  const readConfirmPath = async (id: string) =>
    /https:\/\/line\.example\.com(\/confirm\/[\w-]{55})/.exec(
      (await app.mailsTo(id)).join('\n'),
    )?.[1] ?? '';

  test('gives the credit once, however often link and button are used', async () => {
    const inviter = await app.join('inviter@example.com');
    const friend = await app.join('friend@example.com', inviter.referral_code);
    const path = await readConfirmPath(friend.id);
    const own = { email: 'fr•••@example.com', 'member-id': friend.id };
    for (let times = 0; times < 20; times++) {
      const asked = await open(app, path);
      expect([pageOf(asked), placesOf(asked)]).toMatchObject(['confirm', own]);
    }
    expect(await creditsOf(inviter.id)).toBe(0);
    const answers = await Promise.all([1, 2, 3].map(() => postForm(app, path)));
    const confirmedAt = async () =>
      (await app.sql('select confirmed_at from member where id = $1', [friend.id]))[0]
        ?.confirmed_at;
    const at = await confirmedAt();
    expect(at).toBeInstanceOf(Date);
    for (const answer of [...answers, await postForm(app, path)]) {
      expect([answer.statusCode, pageOf(answer)]).toEqual([200, 'confirmed']);
      expect(placesOf(answer)['member-id']).toBe(friend.id);
    }
    expect(await confirmedAt()).toEqual(at);
    expect(await creditsOf(inviter.id)).toBe(1);
  });

  test('takes the credit along by leaving, and brings none by leaving unconfirmed', async () => {
    const inviter = await app.join('second-inviter@example.com');
    const confirmed = await app.join('confirmed@example.com', inviter.referral_code);
    const waiting = await app.join('waiting@example.com', inviter.referral_code);
    await postForm(app, await readConfirmPath(confirmed.id));
    const waitingPath = await readConfirmPath(waiting.id);
    expect(await creditsOf(inviter.id)).toBe(1);
    for (const { id } of [confirmed, waiting]) {
      const leave = fillPath(mailPagePaths.leave, tokenOf(id, 'preferences'));
      expect(pageOf(await postForm(app, leave))).toBe('left');
    }
    expect((await postForm(app, waitingPath)).statusCode).toBe(404);
    expect(await creditsOf(inviter.id)).toBe(0);
    await app.expectWhole();
  });

  test('gets a new link by joining again, until confirmed', async () => {
    const inviter = await app.join('third-inviter@example.com');
    const friend = await app.join('late@example.com', inviter.referral_code);
    const askAgain = async () => {
      await app.sql(`
        update member set joined_at = now() - interval '30 days' where id = '${friend.id}';
        update status_link_sent set sent_at = sent_at - interval '1 hour'`);
      await app.post(apiPaths.join, { email: 'late@example.com', referred_by: null }, NOBODY);
      return await app.mailsTo(friend.id);
    };
    const mails = await askAgain();
    expect(mails).toHaveLength(2);
    const links = mails.map((mail) => /\/confirm\/[\w-]{55}/.exec(mail)?.[0] ?? '');
    expect(links).not.toContain('');
    expect(pageOf(await postForm(app, links[1] ?? ''))).toBe('confirmed');
    expect(await creditsOf(inviter.id)).toBe(1);
    expect((await askAgain()).filter((mail) => mail.includes('/confirm/'))).toHaveLength(2);
  });
});

describe.each(oneEngine)('an address on %s', (engine) => {
  const app = provideApp(engine, { inviterEmail: 'masked', secretKey: SECRET_KEY });
  const { statusOf } = app;
  const refused = { status: 403, detail: 'This link does not work any more: use a newer mail.' };
  let joined = 0;
  const join = () => {
    joined += 1;
    return app.join(`friend${joined}@example.com`);
  };
  const isConfirmed = async ({ id }: { id: string }) => (await statusOf(id)).is_confirmed;
  async function confirm(payload: object, on: App = app) {
    const call = { method: 'POST', url: apiPaths.confirm, remoteAddress: '192.0.2.1' } as const;
    const answer = await on.fastify.inject({ ...call, payload });
    return { status: answer.statusCode, ...answer.json() };
  }
  const readMailedToken = async ({ id }: { id: string }) =>
    /#confirm=3D([\w-]+)/.exec((await app.mailsTo(id)).at(-1) ?? '')?.[1] ?? '';

  test('is confirmed by the token in the first mail, however often it comes', async () => {
    const member = await join();
    const token = await readMailedToken(member);
    const answers = await Promise.all([1, 2, 3].map(() => confirm({ token })));
    for (const answer of [...answers, await confirm({ token })])
      expect(answer).toEqual({ status: 200, member_id: member.id });
    expect(await isConfirmed(member)).toBe(true);
  });

  test('is not confirmed by a token that is wrong, expired, or for something else', async () => {
    const member = await join();
    const right = tokenOf(member.id, 'confirm');
    for (const token of [
      '',
      'x',
      `${right}x`,
      right.slice(1),
      tokenOf(member.id, 'confirm', { inDays: -1 }),
      ...(['preferences', 'offer', 'reward'] as const).map((what) => tokenOf(member.id, what)),
      tokenOf('018f0000-0000-7000-8000-000000000000', 'confirm'),
    ])
      expect(await confirm({ token })).toMatchObject(refused);
    for (const body of [{}, { token: 1 }, { token: 'x'.repeat(201) }])
      expect(await confirm(body)).toEqual({ status: 422, detail: expect.stringMatching(/token/) });
    expect(await isConfirmed(member)).toBe(false);
    expect(await confirm({ token: right })).toMatchObject({ status: 200 });
  });

  test('is not confirmed by a mail to the one that was corrected since', async () => {
    const member = await join();
    const token = await readMailedToken(member);
    await app.change('correct-address', { member_id: member.id, email: 'right@example.com' });
    expect(await confirm({ token })).toMatchObject(refused);
    expect(await isConfirmed(member)).toBe(false);
  });

  test('cannot be confirmed by guessing: wrong tokens are counted by visitor', async () => {
    const limited = await app.openAnother({ isLimiting: true });
    for (let call = 0; call < 60; call += 1)
      expect(await confirm({ token: 'wrong' }, limited)).toMatchObject(refused);
    expect(await confirm({ token: 'wrong' }, limited)).toMatchObject({ status: 429 });
    await limited.close();
  });

  describe('that was entered for several codes', () => {
    const pathOf = (id: string) => fillPath(mailPagePaths.confirm, tokenOf(id, 'confirm'));
    const choose = (id: string, code: string) => postForm(app, pathOf(id), { invited_by: code });
    const enter = async (email: string, code: string): Promise<number> =>
      (await app.post(apiPaths.join, { email, referred_by: code }, NOBODY)).status;
    const countsOf = async (...members: readonly { id: string }[]) =>
      Promise.all(members.map(async ({ id }) => (await statusOf(id)).referral_count));
    let entered = 0;
    async function enterTwice() {
      entered += 1;
      const rival = await app.join(`rival${entered}@example.com`);
      const honest = await app.join(`honest${entered}@example.com`);
      const email = `twice${entered}@example.com`;
      const friend = await app.join(email, rival.referral_code);
      expect(await countsOf(rival)).toEqual([1]);
      expect(await enter(email, honest.referral_code)).toBe(409);
      return { rival, honest, friend, email };
    }

    test('counts for nobody, until its owner names one of them', async () => {
      const { rival, honest, friend, email } = await enterTwice();
      expect(await countsOf(rival, honest)).toEqual([0, 0]);
      for (const { referral_code: code } of [honest, rival])
        expect(await enter(email, code)).toBe(409);
      await app.expectWhole();
      const asked = await open(app, pathOf(friend.id));
      expect(pageOf(asked)).toBe('confirm-asked');
      const choices = asked.payload.matchAll(/name="invited_by" value="(\w+)">([^<]+)</g);
      expect([...choices].map(([, ...one]) => one)).toEqual([
        [rival.referral_code, 'ri•••@example.com'],
        [honest.referral_code, 'ho•••@example.com'],
        ['none', 'None of them'],
      ]);
      expect(pageOf(await postForm(app, pathOf(friend.id)))).toBe('confirm-asked');
      expect(pageOf(await choose(friend.id, honest.referral_code))).toBe('confirmed');
      expect(await countsOf(rival, honest)).toEqual([0, 1]);
      await app.expectWhole();
      expect(await enter(email, rival.referral_code)).toBe(409);
      expect(pageOf(await open(app, pathOf(friend.id)))).toBe('confirm');
      expect(await countsOf(rival, honest)).toEqual([0, 1]);
    });

    test('stays with nobody if none invited, another is named, or one decided', async () => {
      for (const answer of ['none', 'ZZZZZZZZZZ', 'decided']) {
        const { rival, honest, friend } = await enterTwice();
        if (answer === 'decided')
          await app.sql(`
            update member set credit = 'held' where id = '${friend.id}';
            insert into credit_case (member_id, decided_at, decided_by)
            values ('${friend.id}', now(), 'operator')`);
        await choose(friend.id, answer === 'decided' ? honest.referral_code : answer);
        expect(await countsOf(rival, honest)).toEqual([0, 0]);
      }
      await app.expectWhole();
    });

    test('is asked for by the call, too, and no more once all of them have left', async () => {
      const { rival, friend } = await enterTwice();
      const token = tokenOf(friend.id, 'confirm');
      expect(await confirm({ token })).toMatchObject({ status: 409 });
      expect(await confirm({ token, invited_by: rival.referral_code })).toMatchObject({
        status: 200,
      });
      expect(await countsOf(rival)).toEqual([1]);
      const left = await enterTwice();
      for (const { id: memberId } of [left.rival, left.honest])
        await removeMember(app.database, { memberId });
      expect(pageOf(await open(app, pathOf(left.friend.id)))).toBe('confirm');
      expect(pageOf(await postForm(app, pathOf(left.friend.id)))).toBe('confirmed');
      await app.expectWhole();
    });
  });
});
