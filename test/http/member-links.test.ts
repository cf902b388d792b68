/** The pages that mails link to: confirmation and preferences. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillPath, mailPagePaths } from '../../contract/paths.ts';
import { suppressAddress } from '../../server/mail/suppression/store.ts';
import { oneEngine } from '../support/engines.ts';
import {
  dumpLine,
  open,
  pageOf,
  placesOf,
  postForm,
  readKeptMail,
  SECRET_KEY,
  settleMail,
  tokenOf,
} from './mail-links.ts';
import { openTestApp, type TestApp } from './test-app.ts';

const { confirm, preferences, unsubscribe, downloadData, leave } = mailPagePaths;
const preferencesOf = (token: string) => fillPath(preferences, token);

describe.each(oneEngine)('member links on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine, { secretKey: SECRET_KEY });
  });
  afterAll(() => app.remove());

  let count = 0;
  const newMember = () => app.join(`Member.${count++}@Example.com`);
  const confirmedAt = async (id: string) => {
    const found = app.database.kysely
      .selectFrom('member')
      .select('confirmed_at')
      .where('id', '=', id);
    return (await found.executeTakeFirst())?.confirmed_at ?? null;
  };

  test('scanners that open every link 20 times change nothing', async () => {
    const { id } = await newMember();
    await settleMail(app);
    const token = tokenOf(id, 'preferences');
    const before = await dumpLine(app);
    expect(before).toContain(id);
    const own = [preferences, unsubscribe, leave].map((path) => fillPath(path, token));
    for (const url of [...own, fillPath(confirm, tokenOf(id, 'confirm'))]) {
      for (let times = 0; times < 20; times++) {
        for (const method of ['GET', 'HEAD'] as const)
          expect((await open(app, url, method)).statusCode).toBe(200);
      }
    }
    expect((await open(app, fillPath(downloadData, token))).statusCode).toBe(405);
    expect(await dumpLine(app)).toBe(before);
  });

  test('the links in a mail lead to the pages', async () => {
    const { id } = await newMember();
    await settleMail(app);
    const [mail = ''] = readKeptMail(app, id);
    const [, header = ''] =
      /^List-Unsubscribe:\s+<https:\/\/line\.example\.com(.+?)>/m.exec(mail) ?? [];
    expect(header).toMatch(/^\/preferences\/[\w-]{55}\/unsubscribe$/);
    expect(mail.includes(`${header.replace('/unsubscribe', '')}"`)).toBe(true);
    expect(pageOf(await open(app, header))).toBe('preferences-sending');
  });

  test('the button confirms, is idempotent, and links to the status page', async () => {
    const { id } = await newMember();
    const url = fillPath(confirm, tokenOf(id, 'confirm'));
    const asked = await open(app, url);
    expect(pageOf(asked)).toBe('confirm');
    expect(placesOf(asked)).toMatchObject({ email: 'Me•••@example.com', 'member-id': id });
    expect(await confirmedAt(id)).toBeNull();
    const first = await postForm(app, url);
    const at = await confirmedAt(id);
    expect(at).toBeInstanceOf(Date);
    for (const answer of [first, await postForm(app, url), await postForm(app, url)]) {
      expect(answer.statusCode).toBe(200);
      expect(pageOf(answer)).toBe('confirmed');
      expect(placesOf(answer)['member-id']).toBe(id);
    }
    expect(await confirmedAt(id)).toEqual(at);
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
    await settleMail(app);
    expect(readKeptMail(app, id)).toHaveLength(1);
    const address = `member.${count - 1}@example.com`;
    const askAgain = async () => {
      await app.database.runSql(
        `update member set joined_at = joined_at - interval '1 day' where id = '${id}'`,
      );
      await app.database.runSql(`update status_link_sent set sent_at = sent_at - interval '1 day'`);
      const payload = { email: address };
      const answer = await app.fastify.inject({
        method: 'POST',
        url: '/api/waitlist/join',
        payload,
      });
      expect(answer.statusCode).toBe(409);
      await settleMail(app);
    };
    const token = tokenOf(id, 'preferences');
    await postForm(app, preferencesOf(token), { mail: 'stopped' });
    await askAgain();
    expect(readKeptMail(app, id)).toHaveLength(1);
    await postForm(app, preferencesOf(token), { mail: 'sending' });
    await askAgain();
    expect(readKeptMail(app, id)).toHaveLength(2);
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
    await settleMail(app);
    const [mail = '', ...more] = readKeptMail(app, id);
    expect(more).toEqual([]);
    expect(mail).toContain('You stopped our mail.');
    const token = tokenOf(id, 'preferences');
    expect(pageOf(await open(app, preferencesOf(token)))).toBe('preferences-stopped');
    const askFor = async (kind: string) => {
      const request = JSON.stringify({ kind, memberId: id });
      await app.database.runSql('select queue_mails(array[$1::jsonb])', [request]);
      await settleMail(app);
      return readKeptMail(app, id);
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
    await settleMail(app);
    const token = tokenOf(id, 'preferences', { inDays: -1 });
    const before = await dumpLine(app);
    for (const answer of [
      await open(app, preferencesOf(token)),
      await open(app, fillPath(leave, token)),
      await postForm(app, fillPath(leave, token)),
      await postForm(app, fillPath(downloadData, token)),
    ]) {
      expect(answer.statusCode).toBe(410);
      expect(pageOf(answer)).toBe('preferences-expired-sending');
    }
    expect(await dumpLine(app)).toBe(before);
    expect((await postForm(app, fillPath(unsubscribe, token))).statusCode).toBe(200);
    expect(pageOf(await open(app, preferencesOf(token)))).toBe('preferences-expired-stopped');
  });

  test('an expired confirmation link says so and confirms nothing', async () => {
    const { id } = await newMember();
    const url = fillPath(confirm, tokenOf(id, 'confirm', { inDays: -1 }));
    for (const answer of [await open(app, url), await postForm(app, url)]) {
      expect(answer.statusCode).toBe(410);
      expect(pageOf(answer)).toBe('confirm-expired');
    }
    expect(await confirmedAt(id)).toBeNull();
  });

  test('an invalid token, or one of another purpose, answers 404, changes nothing', async () => {
    const { id } = await newMember();
    await settleMail(app);
    const right = tokenOf(id, 'preferences');
    const before = await dumpLine(app);
    for (const token of [
      right.slice(0, -1),
      `${right}A`,
      'x',
      tokenOf(id, 'confirm'),
      `${right.slice(0, 9)}${right[9] === 'A' ? 'B' : 'A'}${right.slice(10)}`,
    ]) {
      for (const path of [preferences, unsubscribe, leave, confirm]) {
        const url = fillPath(path, path === confirm ? right : token);
        const answers = [await open(app, url), await postForm(app, url)];
        for (const answer of answers)
          expect([answer.statusCode, pageOf(answer)]).toEqual([404, 'link-unknown']);
      }
      expect((await postForm(app, fillPath(downloadData, token))).statusCode).toBe(404);
    }
    expect(await dumpLine(app)).toBe(before);
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
    const joined = await app.fastify.inject({
      method: 'POST',
      url: '/api/waitlist/join',
      headers: { 'idempotency-key': `data-${engine}` },
      payload: { email: 'Ada.Lovelace@Example.com', referred_by: inviter.referral_code },
    });
    const me = joined.json();
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

  test('no page is cached, indexed or sent as a referrer', async () => {
    const { id } = await newMember();
    const token = tokenOf(id, 'preferences');
    for (const url of [
      fillPath(confirm, tokenOf(id, 'confirm')),
      preferencesOf(token),
      fillPath(leave, token),
      fillPath(preferences, 'x'),
    ]) {
      const { headers, payload } = await open(app, url);
      expect(headers).toMatchObject({
        'cache-control': 'no-store, no-transform',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'no-referrer',
      });
      expect(payload.toLowerCase().includes(`member.${count - 1}@`)).toBe(false);
    }
  });
});
