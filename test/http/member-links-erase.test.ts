/** Leaving the line: no trace of the member remains, and only the referrer's credit is lost. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { readSuppression } from '../../server/mail/suppression/store.ts';
import { sweepKeptMail } from '../../server/members/links/kept-mail.ts';
import { captureLog } from '../support/captured-log.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { open, pageOf, postForm, SECRET_KEY, settleMail, tokenOf } from './mail-links.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const TYPED = 'Eve.Target+Mask@Example.com';
const IDENTITY = TYPED.toLowerCase();
/** The spelling that is passed to the mail server. */
const MAILED = 'Eve.Target+Mask@example.com';

/** Spellings of the address as they may be stored; Base64 at each of its three alignments. */
function spellings(): string[] {
  const plain = [TYPED, IDENTITY, MAILED];
  const inBase64 = (text: string) =>
    ['', 'x', 'xx'].map((before) => {
      const encoded = Buffer.from(before + text).toString('base64');
      return encoded.slice(before === '' ? 0 : 4, -4);
    });
  return [...plain, ...plain.map(encodeURIComponent), ...plain.flatMap(inBase64)];
}

const found = (text: string) => spellings().filter((spelling) => text.includes(spelling));

describe.each(oneEngine)('leaving on %s', (engine) => {
  let app: TestApp;
  const log = captureLog();
  beforeAll(async () => {
    app = await openTestApp(engine, { secretKey: SECRET_KEY }, log.logger);
  });
  afterAll(() => app.remove());

  const readMailFolder = () => {
    const folder = join(app.config.dataDir, 'mail');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const texts = names
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => readFileSync(join(folder, name), 'latin1'));
    return [...names, ...texts].join('\n');
  };
  const joinWithKey = (key: string, email: string, referredBy?: string) =>
    app.fastify.inject({
      method: 'POST',
      url: apiPaths.join,
      headers: { 'idempotency-key': `${key}-${engine}` },
      payload: { email, referred_by: referredBy ?? null },
    });
  const status = async (id: string) =>
    (await app.fastify.inject({ method: 'GET', url: fillPath(apiPaths.status, id) })).json();
  const operator = (method: 'POST' | 'DELETE', url: string, payload?: object) =>
    app.fastify.inject({
      method,
      url,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
      ...(payload && { payload }),
    });

  const step = tellStory('goes through one step after the other');

  step('erases every trace, takes the credit back, keeps friends and an exact line', async () => {
    const before = await app.join('before@example.com');
    const inviter = await app.join('inviter@example.com');
    const target = (await joinWithKey('first', TYPED, inviter.referral_code)).json();
    const friend = await app.join('friend@example.com', target.referral_code);
    // Everything that could store or log the address.
    expect((await joinWithKey('again', IDENTITY)).statusCode).toBe(409);
    await open(app, fillPath(apiPaths.verifyReferral, target.referral_code));
    await operator('POST', operatorPaths.findMembers, { text: TYPED });
    await postForm(app, '/', { email: TYPED });
    await app.fastify.inject({ method: 'GET', url: `/?email=${encodeURIComponent(TYPED)}` });
    const token = tokenOf(target.id, 'preferences');
    await postForm(app, fillPath(mailPagePaths.confirm, tokenOf(target.id, 'confirm')));
    expect(
      found((await postForm(app, fillPath(mailPagePaths.downloadData, token))).payload),
    ).not.toEqual([]);
    await settleMail(app);
    await app.database.runSql(
      `select queue_mails(array['{"kind": "welcome", "memberId": "${target.id}"}'::jsonb])`,
    );
    await postForm(app, fillPath(mailPagePaths.preferences, token), { mail: 'stopped' });

    const held = (await dumpDatabase(app.database)).text;
    expect(found(held)).toEqual(expect.arrayContaining([TYPED, IDENTITY]));
    expect(held.includes(target.id) && held.includes(target.referral_code)).toBe(true);
    expect(found(readMailFolder())).toEqual([MAILED]);
    expect((await status(inviter.id)).referral_count).toBe(1);
    const friendBefore = await status(friend.id);

    const answer = await postForm(app, fillPath(mailPagePaths.leave, token));
    expect([answer.statusCode, pageOf(answer)]).toEqual([200, 'left']);

    await settleMail(app);
    const { tables, text: left } = await dumpDatabase(app.database);
    expect(tables).toEqual(
      expect.arrayContaining(['public.member', 'public.standing', 'pgboss.job']),
    );
    const mailFolder = readMailFolder();
    for (const text of [left, mailFolder, log.text()]) {
      expect(found(text)).toEqual([]);
      for (const trace of [target.id, target.referral_code, 'eve.target']) {
        expect(text.toLowerCase().includes(trace.toLowerCase()), trace).toBe(false);
      }
    }
    expect(log.text()).toContain(mailPagePaths.leave);

    // An unsubscribed address stays suppressed, by its hash only.
    expect((await readSuppression(app.database, SECRET_KEY, IDENTITY))?.reason).toBe('stopped');
    expect((await status(inviter.id)).referral_count).toBe(0);
    expect((await status(before.id)).position).toBe(2);
    expect(await status(friend.id)).toEqual({ ...friendBefore, position: 1 });
    const row = await app.database.kysely
      .selectFrom('member')
      .select(['is_invited', 'referrer_id'])
      .where('id', '=', friend.id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ is_invited: true, referrer_id: null });
    expect(await verifyLine(app.database)).toEqual({ members: 3, differences: [] });
  });

  step('afterwards all links of the member answer 404, save one-click unsubscription', async () => {
    const { id } = await app.join('gone@example.com');
    const token = tokenOf(id, 'preferences');
    await postForm(app, fillPath(mailPagePaths.leave, token));
    const { preferences, leave, downloadData, unsubscribe, confirm } = mailPagePaths;
    for (const url of [
      fillPath(preferences, token),
      fillPath(leave, token),
      fillPath(unsubscribe, token),
      fillPath(confirm, tokenOf(id, 'confirm')),
    ]) {
      const answer = await open(app, url);
      expect([answer.statusCode, pageOf(answer)]).toEqual([404, 'link-unknown']);
    }
    for (const url of [
      fillPath(preferences, token),
      fillPath(leave, token),
      fillPath(downloadData, token),
      fillPath(confirm, tokenOf(id, 'confirm')),
    ]) {
      expect((await postForm(app, url, { mail: 'stopped' })).statusCode).toBe(404);
    }
    expect((await postForm(app, fillPath(unsubscribe, token))).statusCode).toBe(200);
  });

  step('two clicks at the same time erase once', async () => {
    const { id } = await app.join('twice@example.com');
    const url = fillPath(mailPagePaths.leave, tokenOf(id, 'preferences'));
    const answers = await Promise.all([postForm(app, url), postForm(app, url), postForm(app, url)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404, 404]);
    expect((await verifyLine(app.database)).differences).toEqual([]);
  });

  step('a member who leaves and joins again is new, at the end of the line', async () => {
    const first = await app.join('back@example.com');
    await postForm(app, fillPath(mailPagePaths.leave, tokenOf(first.id, 'preferences')));
    const again = await app.join('back@example.com');
    expect(again.id).not.toBe(first.id);
    expect(again.referral_code).not.toBe(first.referral_code);
  });

  step('removal by the operator erases the same', async () => {
    const { id } = await app.join('removed@example.com');
    await settleMail(app);
    expect(existsSync(join(app.config.dataDir, 'mail', id))).toBe(true);
    const input = { member: id.toUpperCase() };
    const erasure = { kind: 'erase-member', input, reason: 'asked for it' };
    expect((await operator('POST', operatorPaths.changes, erasure)).statusCode).toBe(201);
    expect(existsSync(join(app.config.dataDir, 'mail', id))).toBe(false);
    const isKept = (table: string) => table === 'public.audit_entry';
    const { text } = await dumpDatabase(app.database, (table) => !isKept(table));
    expect(text.includes(id)).toBe(false);
    const log = await dumpDatabase(app.database, isKept);
    expect(log.text.includes(id)).toBe(true);
    expect(log.text.includes('removed@example.com')).toBe(false);
  });

  step('the sweep deletes only test mail and kept mail of members who have left', async () => {
    const { id } = await app.join('stays@example.com');
    await settleMail(app);
    const folder = join(app.config.dataDir, 'mail');
    const gone = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
    mkdirSync(join(folder, gone));
    writeFileSync(join(folder, gone, 'late.eml'), 'To: somebody');
    mkdirSync(join(folder, 'notes of the operator'));
    mkdirSync(join(folder, 'test'));
    await sweepKeptMail(app.database, app.config);
    expect(existsSync(join(folder, gone))).toBe(false);
    expect(existsSync(join(folder, 'test'))).toBe(false);
    expect(readdirSync(join(folder, id))).toHaveLength(1);
    expect(existsSync(join(folder, 'notes of the operator'))).toBe(true);
  });
});
