/** The pages that mails link to: confirmation and preferences, and their limits. */
import { describe, expect, test } from 'vitest';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import { suppressAddress } from '../../server/mail/suppression/store.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { isAll } from '../support/test-form.ts';
import { dumpLine, open, pageOf, postForm, SECRET_KEY, settleMail, tokenOf } from './mail-links.ts';
import { NOBODY, provideApp } from './provide-app.ts';

const { confirm, preferences, unsubscribe, downloadData, leave } = mailPagePaths;
const preferencesOf = (token: string) => fillPath(preferences, token);

describe.each(oneEngine)('member links on %s', (engine) => {
  const app = provideApp(engine, { secretKey: SECRET_KEY });
  const { mailsTo } = app;
  let count = 0;
  const newMember = () => app.join(`Member.${count++}@Example.com`);
  const confirmedAt = async (id: string) =>
    (await app.sql('select confirmed_at from member where id = $1', [id]))[0]?.confirmed_at ?? null;
  /** Its answers, and that nothing was changed by them. */
  const expectUnchanged = async (work: () => Promise<void>) => {
    await settleMail(app);
    const before = await dumpLine(app);
    await work();
    expect(await dumpLine(app)).toBe(before);
  };

  test('scanners that open every link 20 times change nothing', async () => {
    const { id } = await newMember();
    const token = tokenOf(id, 'preferences');
    const own = [preferences, unsubscribe, leave].map((path) => fillPath(path, token));
    await expectUnchanged(async () => {
      for (const url of [...own, fillPath(confirm, tokenOf(id, 'confirm'))])
        for (let times = 0; times < 20; times++)
          for (const method of ['GET', 'HEAD'] as const)
            expect((await open(app, url, method)).statusCode).toBe(200);
      expect((await open(app, fillPath(downloadData, token))).statusCode).toBe(405);
    });
  });

  test('the links in a mail lead to the pages', async () => {
    const [mail = ''] = await mailsTo((await newMember()).id);
    const [, header = ''] =
      /^List-Unsubscribe:\s+<https:\/\/line\.example\.com(.+?)>/m.exec(mail) ?? [];
    expect(header).toMatch(/^\/preferences\/[\w-]{55}\/unsubscribe$/);
    expect(mail.includes(`${header.replace('/unsubscribe', '')}"`)).toBe(true);
    expect(pageOf(await open(app, header))).toBe('preferences-sending');
  });

  test('mail is stopped and resumed, and the page shows the current state', async () => {
    const token = tokenOf((await newMember()).id, 'preferences');
    for (const mail of ['stopped', 'stopped', 'sending', 'sending']) {
      const answer = await postForm(app, preferencesOf(token), { mail });
      expect(answer.statusCode).toBe(303);
      expect(answer.headers.location).toBe(preferencesOf(token));
      expect(pageOf(await open(app, preferencesOf(token)))).toBe(`preferences-${mail}`);
    }
    for (const mail of ['complained', '']) {
      const answer = await postForm(app, preferencesOf(token), { mail });
      expect(answer.statusCode).toBe(422);
      expect(pageOf(answer)).toBe('link-trouble');
    }
    expect(pageOf(await open(app, preferencesOf(token)))).toBe('preferences-sending');
  });

  test('a member who stopped mail gets none, not even the status link, until resumed', async () => {
    const { id } = await newMember();
    expect(await mailsTo(id)).toHaveLength(1);
    const email = `member.${count - 1}@example.com`;
    const askAgain = async () => {
      await app.sql(`
        update member set joined_at = joined_at - interval '1 day' where id = '${id}';
        update status_link_sent set sent_at = sent_at - interval '1 day'`);
      expect(await app.post(apiPaths.join, { email }, NOBODY)).toMatchObject({ status: 409 });
      return await mailsTo(id);
    };
    const token = tokenOf(id, 'preferences');
    await postForm(app, preferencesOf(token), { mail: 'stopped' });
    expect(await askAgain()).toHaveLength(1);
    await postForm(app, preferencesOf(token), { mail: 'sending' });
    expect(await askAgain()).toHaveLength(2);
  });

  test('who stopped mail, left and joins anew gets one mail, which can turn it on', async () => {
    const email = 'back-again@example.com';
    const stopAndLeave = async (id: string) => {
      const token = tokenOf(id, 'preferences');
      await postForm(app, fillPath(unsubscribe, token), { 'List-Unsubscribe': 'One-Click' });
      expect((await postForm(app, fillPath(leave, token))).statusCode).toBe(200);
    };
    await stopAndLeave((await app.join(email)).id);
    const { id, referral_code: code } = await app.join(email);
    const [mail = '', ...more] = await mailsTo(id);
    expect(more).toEqual([]);
    expect(mail).toContain('You stopped our mail.');
    const token = tokenOf(id, 'preferences');
    expect(pageOf(await open(app, preferencesOf(token)))).toBe('preferences-stopped');
    const askFor = async (kind: string) => {
      const request = JSON.stringify({ kind, memberId: id });
      await app.sql('select queue_mails(array[$1::jsonb])', [request]);
      return await mailsTo(id);
    };
    for (const kind of ['status-link', 'confirm-reminder', 'welcome'])
      expect(await askFor(kind)).toHaveLength(1);
    expect((await postForm(app, fillPath(confirm, tokenOf(id, 'confirm')))).statusCode).toBe(200);
    await postForm(app, preferencesOf(token), { mail: 'sending' });
    await app.join('friend-of-back@example.com', code);
    const mails = (await askFor('status-link')).map((one) => one.includes('Stop these mails'));
    expect(mails.toSorted()).toEqual([false, true]);
  });

  test.each([
    ['a form', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart',
      'multipart/form-data; boundary=xyz',
      '--xyz\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\n' +
        'One-Click\r\n--xyz--\r\n',
    ],
  ])(
    'one-click unsubscription as %s needs no cookie or origin and is idempotent',
    async (_name, type, payload) => {
      const token = tokenOf((await newMember()).id, 'preferences');
      for (let times = 0; times < 3; times++) {
        const answer = await app.fastify.inject({
          method: 'POST',
          url: fillPath(unsubscribe, token),
          headers: { 'content-type': type },
          payload,
        });
        expect(answer.statusCode).toBe(200);
        expect(answer.headers.location ?? answer.headers['set-cookie']).toBeUndefined();
      }
      expect(pageOf(await open(app, preferencesOf(token)))).toBe('preferences-stopped');
    },
  );

  test('an expired link can still stop mail, and nothing else', async () => {
    const { id } = await newMember();
    const token = tokenOf(id, 'preferences', { inDays: -1 });
    await expectUnchanged(async () => {
      for (const answer of [
        await open(app, preferencesOf(token)),
        await open(app, fillPath(leave, token)),
        await postForm(app, fillPath(leave, token)),
        await postForm(app, fillPath(downloadData, token)),
      ])
        expect([answer.statusCode, pageOf(answer)]).toEqual([410, 'preferences-expired-sending']);
      const url = fillPath(confirm, tokenOf(id, 'confirm', { inDays: -1 }));
      for (const answer of [await open(app, url), await postForm(app, url)])
        expect([answer.statusCode, pageOf(answer)]).toEqual([410, 'confirm-expired']);
    });
    expect((await postForm(app, fillPath(unsubscribe, token))).statusCode).toBe(200);
    expect(pageOf(await open(app, preferencesOf(token)))).toBe('preferences-expired-stopped');
  });

  test('an invalid token, or one of another purpose, answers 404, changes nothing', async () => {
    const { id } = await newMember();
    const right = tokenOf(id, 'preferences');
    const tokens = [right.slice(0, -1), `${right}A`, 'x', tokenOf(id, 'confirm')];
    await expectUnchanged(async () => {
      for (const token of tokens) {
        for (const path of [preferences, unsubscribe, leave, confirm]) {
          const url = fillPath(path, path === confirm ? right : token);
          for (const answer of [await open(app, url), await postForm(app, url)])
            expect([answer.statusCode, pageOf(answer)]).toEqual([404, 'link-unknown']);
        }
        expect((await postForm(app, fillPath(downloadData, token))).statusCode).toBe(404);
      }
    });
  });

  test('the page of a bounced address says so, and no button resumes mail', async () => {
    const { id } = await newMember();
    const identity = `member.${count - 1}@example.com`;
    await suppressAddress(app.database, SECRET_KEY, { identity, reason: 'bounced' });
    const token = tokenOf(id, 'preferences');
    await postForm(app, preferencesOf(token), { mail: 'sending' });
    expect(pageOf(await open(app, preferencesOf(token)))).toBe('preferences-bounced');
  });

  test('the download holds everything about the member', async () => {
    const inviter = await newMember();
    const headers = { 'idempotency-key': `data-${engine}` };
    const joined = { email: 'Ada.Lovelace@Example.com', referred_by: inviter.referral_code };
    const me = await app.post(apiPaths.join, joined, headers);
    await app.join('friend-of-ada@example.com', me.referral_code);
    await settleMail(app);
    const answer = await postForm(app, fillPath(downloadData, tokenOf(me.id, 'preferences')));
    expect(answer.headers).toMatchObject({
      'content-disposition': 'attachment; filename="my-waitlist-data.json"',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    const data = answer.json();
    expect(data.member).toMatchObject({
      id: me.id,
      email: 'Ada.Lovelace@Example.com',
      referral_code: me.referral_code,
      referral_count: 1,
      friends_in_line: 1,
      joined_by_invite: true,
      confirmed_at: null,
    });
    expect(data.rows.member[0]).toMatchObject({
      email_identity: 'ada.lovelace@example.com',
      credit: 'given',
    });
    expect(data.rows.standing[0]).toMatchObject({ referral_count: 1 });
    expect(data.mail).toMatchObject({ state: 'sending', since: null });
    expect(data.mail.mails[0]).toMatchObject({ kind: 'welcome', state: 'kept' });
    expect(Date.parse(data.mail.mails[0].ended_at)).toBeGreaterThanOrEqual(
      Date.parse(data.member.joined_at),
    );
    expect(answer.payload).not.toContain(inviter.id);
    expect(answer.payload).not.toContain('friend-of-ada');
  });

  test.each([{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://elsewhere.example' }])(
    'a cross-site form post, %j, is refused, except one-click unsubscription',
    async (headers) => {
      const { id } = await newMember();
      const token = tokenOf(id, 'preferences');
      for (const url of [
        fillPath(confirm, tokenOf(id, 'confirm')),
        preferencesOf(token),
        fillPath(leave, token),
        fillPath(downloadData, token),
      ]) {
        const answer = await postForm(app, url, { mail: 'stopped' }, headers);
        expect([answer.statusCode, pageOf(answer)]).toEqual([403, 'link-trouble']);
      }
      expect(await confirmedAt(id)).toBeNull();
      expect(pageOf(await open(app, preferencesOf(token)))).toBe('preferences-sending');
      expect((await postForm(app, fillPath(unsubscribe, token), {}, headers)).statusCode).toBe(200);
    },
  );
});

describe.runIf(isAll)('the limits of member links', () => {
  // With one connection, requests wait for a slot.
  const app = provideApp('embedded', { secretKey: SECRET_KEY, isLimiting: true });
  const ask = (method: 'GET' | 'POST', url: string, remoteAddress: string) =>
    app.fastify.inject({
      method,
      url,
      remoteAddress,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });

  /** Asks until it is refused, which never says null. */
  async function exhaust(method: 'GET' | 'POST', url: string, address: string) {
    for (let times = 0; times < 500; times++) {
      const answer = await ask(method, url, address);
      if (answer.statusCode === 429) return { times, answer };
    }
    return null;
  }
  async function expectLimited(max: number, url: string, address: string): Promise<void> {
    const { times, answer } = (await exhaust('GET', url, address)) ?? {};
    expect([times, pageOf(answer ?? { payload: '' })]).toEqual([max, 'link-trouble']);
    expect(Number(answer?.headers['retry-after'])).toBeGreaterThan(0);
  }

  const step = tellStory('come one after the other');

  step('guessing tokens is limited with a page that says so; valid links still open', async () => {
    const { id } = await app.join('right@example.com');
    await expectLimited(60, preferencesOf('wrong'), '192.0.2.1');
    const right = await ask('GET', preferencesOf(tokenOf(id, 'preferences')), '192.0.2.1');
    expect(right.statusCode).toBe(200);
    expect((await ask('GET', preferencesOf('wrong'), '192.0.2.2')).statusCode).toBe(404);
  });

  step("a member's own links are limited from any address, and nobody else's are", async () => {
    const own = await app.join('own@example.com');
    const other = await app.join('another@example.com');
    const token = tokenOf(own.id, 'preferences');
    await expectLimited(120, preferencesOf(token), '192.0.2.5');
    expect((await ask('POST', fillPath(downloadData, token), '192.0.2.6')).statusCode).toBe(429);
    expect((await ask('POST', fillPath(unsubscribe, token), '192.0.2.6')).statusCode).toBe(200);
    const otherLink = preferencesOf(tokenOf(other.id, 'preferences'));
    expect((await ask('GET', otherLink, '192.0.2.5')).statusCode).toBe(200);
  });

  step(
    'a crowd of downloads for one member waits for slots, and delays no other member',
    async () => {
      const unlimited = await app.openAnother({ isLimiting: false });
      const [one, other] = [
        await app.join('crowded@example.com'),
        await app.join('alone@example.com'),
      ];
      const order: string[] = [];
      const download = async (name: string, id: string) => {
        const answer = await unlimited.fastify.inject({
          method: 'POST',
          url: fillPath(downloadData, tokenOf(id, 'preferences')),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
        order.push(name);
        return answer;
      };
      const database = Promise.withResolvers<void>();
      const held = app.database.kysely.transaction().execute(() => database.promise);
      const crowd = Array.from({ length: 100 }, () => download('crowd', one.id));
      const asked = download('alone', other.id);
      try {
        // One is under way and 64 wait.
        await expect.poll(() => order.length).toBe(36);
      } finally {
        database.resolve();
        await held;
      }
      const alone = await asked;
      const answers = await Promise.all(crowd);
      await unlimited.close();
      expect([alone.statusCode, alone.json().member.email]).toEqual([200, 'alone@example.com']);
      const refused = answers.filter(({ statusCode }) => statusCode === 503);
      expect(refused.length).toBe(36);
      expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBe(64);
      for (const answer of refused) {
        expect(pageOf(answer)).toBe('link-trouble');
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
      expect(order.indexOf('alone') - refused.length).toBeLessThan(3);
    },
  );

  step('form posts are limited, one-click unsubscription is not', async () => {
    const { id } = await app.join('often@example.com');
    const token = tokenOf(id, 'preferences');
    const confirming = fillPath(confirm, tokenOf(id, 'confirm'));
    expect(await exhaust('POST', confirming, '192.0.2.3')).toMatchObject({ times: 120 });
    expect((await ask('POST', fillPath(downloadData, token), '192.0.2.3')).statusCode).toBe(429);
    expect(await exhaust('POST', fillPath(unsubscribe, token), '192.0.2.3')).toBeNull();
  });
});
