/** A member who is erased or leaves: a row in every table and file before, and what may stay. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import { readSuppression } from '../../server/mail/suppression/store.ts';
import { sweepKeptMail } from '../../server/members/links/kept-mail.ts';
import { captureLog } from '../support/captured-log.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { type ImportCalls, openImportCalls } from './import-calls.ts';
import {
  open,
  pageOf,
  postForm,
  readKeptMail,
  SECRET_KEY,
  settleMail,
  tokenOf,
} from './mail-links.ts';
import { NOBODY, provideApp } from './provide-app.ts';

const TYPED = 'Eve.Target+Mask@Example.com';
const ADDRESS = TYPED.toLowerCase();
/** Addresses of other people, of which this one is a part. */
const OTHERS = [`x.${ADDRESS}`, `${ADDRESS}.au`, 'friend.of.eve@example.com'];

/** Tables without a word or an id of a member, but for the last one of work under way. */
const NOT_ABOUT_MEMBERS = `
  line_state source visit_count event_count join_count cohort_count friend_wait join_cursor
  count_node referral_tally mask_size mask_drop scheduled_step reward_budget top100_cursor mail_pace
  mail_count secret_check limit_count live_server webhook_endpoint digest_state trace_key audit_head
  operator operator_session passkey one_time_secret api_key import_piece schema_change
  schema_functions line_home reminder_cursor till_account checkout till_payment work`
  .trim()
  .split(/\s+/);
/** Tables of pg-boss beside its jobs. */
const OF_QUEUE = /^pgboss\.(?!job$)/;
/** Entries of the data folder. The tables of the database are dumped. */
const FOLDER = ['database', 'last-backup.json', 'lock', 'lock-journal', 'mail'];
/** Their rows become jobs of pg-boss or events of webhooks within a second. */
const SOON_EMPTY = ['mail_outbox', 'offer_event'];
/** Lists and logs that stay as they were published or sent: of a member they have the id. */
const KEEPS_ID = `audit_entry entrant line_event offer offer_event shop_code webhook_delivery
  removed_member live_member`.split(/\s+/);

describe.each(oneEngine)('erasing on %s', (engine) => {
  const log = captureLog();
  const app = provideApp(engine, { secretKey: SECRET_KEY }, log.logger);
  let calls: ImportCalls;
  beforeAll(() => {
    calls = openImportCalls(app);
  });

  const erase = (member: string) => app.change('erase-member', { member });

  /** The words and the id that each table has of the member. */
  async function tracesOf(words: readonly string[]): Promise<Map<string, string[]>> {
    const { tables } = await dumpDatabase(app.database, () => true);
    const traces = new Map<string, string[]>();
    for (const table of tables) {
      const { text } = await dumpDatabase(app.database, (name) => name === table);
      const name = table.replace('public.', '').replace(/_[0-9a-f]{32}$/, ' of an import');
      traces.set(name, [...new Set([...(traces.get(name) ?? []), ...found(text, words)])]);
    }
    return traces;
  }

  function readFiles(): string {
    const folder = app.config.dataDir;
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !/^database\b/.test(name) && statSync(join(folder, name)).isFile())
      .map((name) => `${name}\n${readFileSync(join(folder, name), 'latin1')}`)
      .join('\n');
  }

  test('a member in every table and file leaves an id in some, and nothing else', async () => {
    const inviter = await app.join('inviter@example.com');
    const target = await app.join(TYPED, inviter.referral_code);
    const friend = await app.join('friend@example.com', target.referral_code);
    const other = await app.join('other@example.com');
    await settleMail(app);
    const words = [ADDRESS, 'eve.target', target.referral_code.toLowerCase(), target.id];
    const list = [
      'email,referral_code,referred_by',
      ...OTHERS.map((address) => `${address},,${TYPED}`),
      `"Eve ${ADDRESS}",,`,
      `${TYPED},${target.referral_code},`,
      `late@example.com,,${target.referral_code}`,
    ].join('\n');
    const checked = await calls.check(list);
    await calls.upload(Buffer.from(`\ufeff${list}`, 'utf16le'));
    const cut = await beginUpload(list);
    for (let from = 0; from < list.length - 7; from += 7)
      await calls.sendChunk(cut, from, Buffer.from(list.slice(from, from + 7)));
    await app.sql(fillTables({ target, friend, other, list: checked.id }));
    for (const path of [`${operatorPaths.exportMembers}?format=csv`, operatorPaths.backup])
      expect((await calls.call('GET', path)).statusCode).toBe(200);

    const before = await tracesOf(words);
    for (const [table, traces] of before)
      if (![...NOT_ABOUT_MEMBERS, ...SOON_EMPTY].includes(table) && !OF_QUEUE.test(table))
        expect(traces, `fill ${table}, or say that it is not about members`).not.toEqual([]);
    expect(found(readFiles(), words)).not.toEqual([]);
    expect(FOLDER).toEqual(expect.arrayContaining(readdirSync(app.config.dataDir)));

    expect(await erase(TYPED)).toMatchObject({ status: 201 });
    await settleMail(app);
    const left = [...(await tracesOf(words))].filter(([, traces]) => traces.length > 0);
    for (const [table, traces] of left) {
      expect(KEEPS_ID, `${table} has ${traces}`).toContain(table);
      expect(traces).toEqual([target.id]);
    }
    for (const text of [readFiles(), log.text()]) expect(found(text, words)).toEqual([]);

    // The other rows of the list are as they were, and the import goes on without the member.
    const chunks = await app.sql<{ bytes: Uint8Array }>(
      'select bytes from list_import_chunk order by import_id, first_byte',
    );
    const files = Buffer.concat(chunks.map(({ bytes }) => bytes));
    const text = files.toString('latin1').replaceAll('\0', '');
    expect(found(text, words)).toEqual([]);
    for (const address of OTHERS) expect(text.split(`${address},`), address).toHaveLength(4);
    const reported = (await calls.report(checked.id)).map(({ line }) => line);
    expect(reported).toContain(5);
    expect(reported).not.toContain(6);
    await app.run('going on with work');
    const members = await app.sql('select email from member order by sequence');
    expect(members.map(({ email }) => email)).toEqual([
      ...['inviter', 'friend', 'other'].map((name) => `${name}@example.com`),
      ...[...OTHERS, 'late@example.com'],
    ]);
    await app.expectWhole();
  });

  test('leaving by the own link takes the member out of lists, too', async () => {
    const { id } = await app.join('leaves@example.com');
    const { id: list } = await calls.check('email\nleaves@example.com\nstays@example.com\n');
    await postForm(app, fillPath(mailPagePaths.leave, tokenOf(id, 'preferences')));
    const { text } = await dumpDatabase(app.database);
    expect(found(text, ['leaves@example.com'])).toEqual([]);
    expect((await calls.preview(list)).json()).toMatchObject({ counts: { members: 1 } });
  });

  test('a check under way begins anew, and finds the member no more', async () => {
    const { id } = await app.join('checked@example.com');
    const others = Array.from({ length: 5_000 }, (_, index) => `many${index}@example.com`);
    const { id: list } = await calls.upload(['email', ...others, 'checked@example.com'].join('\n'));
    await calls.map(list, { columns: { email: 0 }, order: 'file' });
    expect(await erase(id)).toMatchObject({ status: 201 });
    expect(await calls.waitForCheck(list)).toMatchObject({
      state: 'checked',
      report: { rows: 5_001 },
    });
    const { text } = await dumpDatabase(app.database);
    expect(found(text, ['checked@example.com'])).toEqual([]);
    expect((await app.fastify.inject(fillPath(apiPaths.status, id))).statusCode).toBe(404);
  });

  async function beginUpload(text: string): Promise<string> {
    const about = { file_name: 'cut.csv', bytes: text.length };
    return (await calls.call('POST', operatorPaths.imports, about)).json().id;
  }
});

describe.each(oneEngine)('leaving on %s', (engine) => {
  const log = captureLog();
  const app = provideApp(engine, { secretKey: SECRET_KEY }, log.logger);
  const { statusOf } = app;
  const leave = (id: string) =>
    postForm(app, fillPath(mailPagePaths.leave, tokenOf(id, 'preferences')));
  const folder = () => join(app.config.dataDir, 'mail');

  const step = tellStory('goes through one step after the other');

  step('takes the credit back, keeps friends and an exact line, and leaves no trace', async () => {
    const before = await app.join('before@example.com');
    const inviter = await app.join('inviter@example.com');
    const joined = { email: TYPED, referred_by: inviter.referral_code };
    const target = await app.post(apiPaths.join, joined, { 'idempotency-key': 'first' });
    const friend = await app.join('friend@example.com', target.referral_code);
    // Everything that could store or log the address.
    const again = await app.post(apiPaths.join, { ...joined, email: ADDRESS }, NOBODY);
    expect(again.status).toBe(409);
    await open(app, fillPath(apiPaths.verifyReferral, target.referral_code));
    await app.post(operatorPaths.findMembers, { text: TYPED });
    await postForm(app, '/', { email: TYPED });
    await app.get(`/?email=${encodeURIComponent(TYPED)}`);
    const token = tokenOf(target.id, 'preferences');
    await postForm(app, fillPath(mailPagePaths.confirm, tokenOf(target.id, 'confirm')));
    await postForm(app, fillPath(mailPagePaths.downloadData, token));
    await settleMail(app);
    await app.sql(
      `select queue_mails(array['{"kind": "welcome", "memberId": "${target.id}"}'::jsonb])`,
    );
    await postForm(app, fillPath(mailPagePaths.preferences, token), { mail: 'stopped' });
    const words = [ADDRESS, 'eve.target', target.referral_code.toLowerCase(), target.id];
    const held = async () => found((await dumpDatabase(app.database)).text, words);
    expect(await held()).toEqual(expect.arrayContaining(words));
    expect(found(readKeptMail(app).join(), words)).not.toEqual([]);
    expect((await statusOf(inviter.id)).referral_count).toBe(1);
    const friendBefore = await statusOf(friend.id);

    const answer = await leave(target.id);
    expect([answer.statusCode, pageOf(answer)]).toEqual([200, 'left']);
    await settleMail(app);
    expect(await held()).toEqual([]);
    const mails = readdirSync(folder(), { recursive: true, encoding: 'utf8' });
    for (const text of [mails.join(), readKeptMail(app).join(), log.text()])
      expect(found(text, words)).toEqual([]);
    expect(log.text()).toContain(mailPagePaths.leave);
    // An unsubscribed address stays suppressed, by its hash only.
    expect((await readSuppression(app.database, SECRET_KEY, ADDRESS))?.reason).toBe('stopped');
    expect((await statusOf(inviter.id)).referral_count).toBe(0);
    expect((await statusOf(before.id)).position).toBe(2);
    expect(await statusOf(friend.id)).toEqual({ ...friendBefore, position: 1 });
    const row = `select is_invited, referrer_id from member where id = '${friend.id}'`;
    expect(await app.sql(row)).toEqual([{ is_invited: true, referrer_id: null }]);
    await app.expectWhole();
  });

  step('afterwards all links of the member answer 404, save one-click unsubscription', async () => {
    const { id } = await app.join('gone@example.com');
    const token = tokenOf(id, 'preferences');
    const confirm = fillPath(mailPagePaths.confirm, tokenOf(id, 'confirm'));
    await leave(id);
    const { preferences, leave: leaving, downloadData, unsubscribe } = mailPagePaths;
    const shown = [preferences, leaving, unsubscribe].map((path) => fillPath(path, token));
    for (const url of [...shown, confirm]) {
      const answer = await open(app, url);
      expect([answer.statusCode, pageOf(answer)]).toEqual([404, 'link-unknown']);
    }
    const posted = [preferences, leaving, downloadData].map((path) => fillPath(path, token));
    for (const url of [...posted, confirm])
      expect((await postForm(app, url, { mail: 'stopped' })).statusCode).toBe(404);
    expect((await postForm(app, fillPath(unsubscribe, token))).statusCode).toBe(200);
  });

  step('happens once, and whoever joins again is new, at the end of the line', async () => {
    const first = await app.join('back@example.com');
    const answers = await Promise.all([leave(first.id), leave(first.id), leave(first.id)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404, 404]);
    const again = await app.join('back@example.com');
    expect(again.id).not.toBe(first.id);
    expect(again.referral_code).not.toBe(first.referral_code);
    await app.expectWhole();
  });

  step('is swept after: only test mail and kept mail of members who have left go', async () => {
    const { id } = await app.join('stays@example.com');
    await settleMail(app);
    const gone = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
    for (const name of [gone, 'notes of the operator', 'test']) mkdirSync(join(folder(), name));
    writeFileSync(join(folder(), gone, 'late.eml'), 'To: somebody');
    await sweepKeptMail(app.database, app.config);
    expect([gone, 'test'].filter((name) => existsSync(join(folder(), name)))).toEqual([]);
    expect(readdirSync(join(folder(), id))).toHaveLength(1);
    expect(existsSync(join(folder(), 'notes of the operator'))).toBe(true);
  });
});

/** Of the spellings that may be stored, the address in Base64 at each of its three alignments. */
const IN_BASE64 = [TYPED, ADDRESS, 'Eve.Target+Mask@example.com'].flatMap((text) =>
  ['', 'x', 'xx'].map((before) =>
    Buffer.from(before + text)
      .toString('base64')
      .slice(before === '' ? 0 : 4, -4),
  ),
);

/** Words that are in the text: also in its bytes, of any encoding, and as a URL has them. */
function found(text: string, words: readonly string[]): string[] {
  const bytes = text.replaceAll(/\\x([0-9a-f]{2,})/g, (_, hex: string) =>
    Buffer.from(hex, 'hex').toString('latin1').replaceAll('\0', ''),
  );
  const all = OTHERS.reduce(
    (rest, other) => rest.replaceAll(other, ''),
    `${text} ${bytes}`.toLowerCase(),
  );
  return [
    ...words.filter((word) => all.includes(word) || all.includes(encodeURIComponent(word))),
    ...IN_BASE64.filter((encoded) => text.includes(encoded)),
  ];
}

type Named = Readonly<Record<'target' | 'friend' | 'other', { readonly id: string }>>;

/** What no call above has written. The third list is being imported. */
function fillTables({ target, friend, other, list }: Named & { readonly list: string }): string {
  const id = `'${target.id}'::uuid`;
  const day = `'2026-01-02'::timestamptz`;
  return `
    insert into status_link_sent values (${id}, ${day});
    insert into notification_state (member_id) values (${id}) on conflict do nothing;
    insert into notification_due values (${id}, 'infinity') on conflict do nothing;
    insert into top100_notified values (${id}) on conflict do nothing;
    insert into stranger_mail values (gen_random_uuid(), 'hash', 'first', ${id}, ${day});
    insert into opened_invite values (${id}, true) on conflict do nothing;
    insert into mail_suppression (address_hash, reason, member_id)
      values ('hash', 'bounced', ${id});
    insert into join_trace values (${id}, 1) on conflict do nothing;
    insert into credit_case (member_id, decided_at, decided_by) values (${id}, now(), 'operator')
      on conflict do nothing;
    insert into member_note (member_id, author_kind, author_name, body)
      values ('${other.id}', 'token', 'token', 'a friend of ${TYPED}, and of ${OTHERS[0]}');
    insert into allocation (size, quantity, note) select name, 1, 'for ${ADDRESS}' from mask_size
      order by ordinal limit 1;
    insert into campaign (id, subject, body, filter, parsed)
      values (1, 'For ${ADDRESS}', 'Dear ${TYPED}', '{"text": "${ADDRESS}"}',
        '{"problems": [], "blocks": [{"kind": "code", "text": "Dear ${TYPED}"}]}');
    insert into campaign_mail values (1, ${id}, 'sent');
    insert into size_wish values (${id}, '{Small}', false);
    insert into entrant select 1, 1, ${id}, 3, 0, '{Small}', false, 1, 'Small';
    insert into offer (drop_number, member_id, size, state, wave, expires_at, settled_at)
      values (1, ${id}, 'Small', 'declined', 1, ${day}, ${day});
    insert into parcel (offer_id, member_id, address)
      select id, member_id, '{"mail": "${ADDRESS}"}' from offer;
    insert into offer_event (kind, offer_id, member_id)
      select 'offer.made', id, member_id from offer;
    insert into shop_code (code, tier_level, taken_by) values ('GHOST-1', 1, ${id});
    insert into reward (member_id, tier_level, state, details)
      values (${id}, 1, 'answered', '{"mail": "${ADDRESS}"}');
    insert into line_event select 1, 'joined', ${day}, array[${id}], null, null, null;
    insert into webhook_endpoint (url, events, next_sequence, is_on)
      values ('https://example.com', '{member.joined}', 2, false);
    insert into webhook_delivery (
        endpoint_id, event_id, kind, happened_at, sequence, ordinal, member_id, friend_id)
      select id, 'event', 'member.joined', ${day}, 1, 0, ${id}, '${friend.id}'
      from webhook_endpoint;
    insert into live_server values (gen_random_uuid(), 'infinity');
    insert into live_member select ${id}, id from live_server limit 1;
    insert into undo_record values (999999, ${id}, '{"email": "${ADDRESS}"}', 'infinity');
    insert into removed_member select gen_random_uuid(), gen_random_uuid(), 'infinity',
      'gone@example.com', jsonb_build_object('referrer_id', ${id}), '{}',
      jsonb_build_array(jsonb_build_object('id', ${id}, 'credit', 'given')), null;
    select append_audit('token', null, 'token', 'a-test', 'member', '${target.id}', null, '{}');
    update list_import set state = 'importing' where id = '${list}';
    insert into work (kind, key, due_at, progress) values ('import', '${list}', now(),
      '{"goal": "join", "done_to": 0, "moved": 0, "left_out": 0, "options":
        {"file": "list.csv", "rows": 6, "isConfirmed": true, "givesCredit": true,
        "mail": null}}');`;
}
