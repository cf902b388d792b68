/** Confirming an address when the referrer's credit waits for it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { oneEngine } from '../support/engines.ts';
import { open, pageOf, postForm, readKeptMail, SECRET_KEY, settleMail } from './mail-links.ts';
import { openTestApp, type TestApp } from './test-app.ts';

describe.each(oneEngine)('a friend who has to confirm, on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine, { secretKey: SECRET_KEY, referralCredit: 'confirm' });
  });
  afterAll(() => app.remove());

  const creditsOf = async (id: string) =>
    (await app.fastify.inject({ method: 'GET', url: fillPath(apiPaths.status, id) })).json()
      .referral_count;

  /** The path of the confirmation link in the member's mail. */
  async function readConfirmPath(memberId: string): Promise<string> {
    await settleMail(app);
    const mail = readKeptMail(app, memberId).join('\n');
    return /https:\/\/line\.example\.com(\/confirm\/[\w-]{55})/.exec(mail)?.[1] ?? '';
  }

  test('gives the credit once, however often link and button are used', async () => {
    const inviter = await app.join('inviter@example.com');
    const friend = await app.join('friend@example.com', inviter.referral_code);
    const path = await readConfirmPath(friend.id);
    for (let times = 0; times < 20; times++) expect(pageOf(await open(app, path))).toBe('confirm');
    expect(await creditsOf(inviter.id)).toBe(0);
    const answers = await Promise.all([
      postForm(app, path),
      postForm(app, path),
      postForm(app, path),
    ]);
    expect(answers.map(pageOf)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    expect(pageOf(await postForm(app, path))).toBe('confirmed');
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
      const mail = readKeptMail(app, id).join('\n');
      const [preferences = ''] = /\/preferences\/[\w-]{55}/.exec(mail) ?? [];
      expect(pageOf(await postForm(app, `${preferences}/leave`))).toBe('left');
    }
    expect((await postForm(app, waitingPath)).statusCode).toBe(404);
    expect(await creditsOf(inviter.id)).toBe(0);
    expect((await verifyLine(app.database)).differences).toEqual([]);
  });

  test('gets a new link by joining again, until confirmed', async () => {
    const inviter = await app.join('third-inviter@example.com');
    const friend = await app.join('late@example.com', inviter.referral_code);
    const payload = { email: 'late@example.com', referred_by: null };
    const askAgain = async () => {
      await app.database.runSql(
        `update member set joined_at = now() - interval '30 days' where id = '${friend.id}'`,
      );
      await app.database.runSql(
        `update status_link_sent set sent_at = sent_at - interval '1 hour'`,
      );
      await app.fastify.inject({ method: 'POST', url: apiPaths.join, payload });
      await settleMail(app);
      return readKeptMail(app, friend.id);
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
