/** What operators read of the line, its members, mails and masks, and write about them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ListedMember } from '../../contract/operator/member-list.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import { confirmMember } from '../../server/line/change-member.ts';
import { type SuppressionReason, suppressAddress } from '../../server/mail/suppression/store.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { postForm, SECRET_KEY, tokenOf } from './mail-links.ts';
import { NOBODY, provideApp } from './provide-app.ts';

const { suppressedAddresses, waitingMails, failedMails } = operatorPaths;

describe.each(oneEngine)('the operator API on %s', (engine) => {
  const app = provideApp(engine, { secretKey: SECRET_KEY });
  const { ask, post, get, read, change, sql } = app;
  let inviter: Awaited<ReturnType<typeof app.join>>;
  const friends: string[] = [];
  beforeAll(async () => {
    await app.join('first@example.com');
    inviter = await app.join('inviter@example.com');
    for (const name of ['one', 'two', 'three'])
      friends.push((await app.join(`${name}@friends.example`, inviter.referral_code)).id);
  });
  const suppress = (identity: string, reason: SuppressionReason) =>
    suppressAddress(app.database, SECRET_KEY, { identity, reason });
  const find = async (text: string) => (await post(operatorPaths.findMembers, { text })).members;
  const emails = ({ members }: { members: ListedMember[] }) => members.map(({ email }) => email);
  const readSheet = (id = '') => read(fillPath(operatorPaths.member, id));

  const step = tellStory('goes through one step after the other');

  step('members are listed by filter and order, in pages, and counted', async () => {
    const asked = { filter: { text: 'friends.ex' }, sort: 'joined', limit: 2 };
    const page = await post(operatorPaths.listMembers, asked);
    expect(emails(page)).toEqual(['three@friends.example', 'two@friends.example']);
    const rest = await post(operatorPaths.listMembers, { ...asked, after: page.next });
    expect(emails(rest)).toEqual(['one@friends.example']);
    expect(rest).toMatchObject({ next: null, is_partial: false });
    const count = await post(operatorPaths.countMembers, { filter: { tier: 1 } });
    expect(count).toMatchObject({ count: 1, is_exact: true });
  });

  test.each([
    { filter: { tiers: 1 } },
    { filter: { text: '   ' } },
    { filter: { credit: 'lost' } },
    { filter: { joined_from: 'soon' } },
    { sort: 'email' },
    { limit: 101 },
    { after: 'x' },
  ])('a list by %j is refused', async (asked) => {
    const detail = expect.stringMatching(/\w+/);
    expect(await post(operatorPaths.listMembers, asked)).toEqual({ status: 422, detail });
  });

  step('a sheet says why a member stands where they do, and whom they brought', async () => {
    const sheet = await readSheet(inviter.id);
    expect(sheet).toMatchObject({
      member: { id: inviter.id, position: 1, referral_count: 3, points: 6, tier_level: 1 },
      why: '3 friends × 2 = 6 points. Joined as number 2.',
      brought_by: null,
      friends: { given: 3, held: 0, pending: 0, refused: 0 },
      notes: [],
      audit: [],
    });
    expect(sheet.mail.mails[0]).toMatchObject({ kind: 'welcome' });
    expect(sheet.page).toEqual(await app.statusOf(inviter.id));
    expect(await readSheet(friends[0])).toMatchObject({
      why: '0 friends × 2 + 1 for an invite = 1 point. Joined as number 3.',
      brought_by: { id: inviter.id, position: 1 },
    });
    const path = fillPath(operatorPaths.friends, inviter.id);
    const all = ['one', 'two', 'three'].map((name) => `${name}@friends.example`);
    expect(emails(await read(path))).toEqual(all);
    expect(emails(await read(`${path}?after=3`))).toEqual(all.slice(1));
    expect((await get(`${path}?after=x`)).statusCode).toBe(422);
  });

  test.each(['x', '018f2b5e-0000-7000-8000-000000000000'])('nobody is %s', async (id) => {
    for (const path of [operatorPaths.member, operatorPaths.friends])
      expect((await get(fillPath(path, id))).statusCode).toBe(404);
    const note = await post(fillPath(operatorPaths.notes, id), { body: 'hello' });
    expect(note).toMatchObject({ status: 404 });
  });

  step('notes are written, changed and deleted, and go with the member', async () => {
    const { id } = await app.join('noted@example.com');
    const path = fillPath(operatorPaths.notes, id);
    expect(await post(path, { body: ' Met at the fair. ' })).toMatchObject({ status: 201 });
    const [note] = (await readSheet(id)).notes;
    expect(note).toMatchObject({ body: 'Met at the fair.', is_own: true, edited_at: null });
    const own = fillPath(operatorPaths.note, id, note.id);
    expect((await ask('PUT', own, { body: 'Met at the shop.' })).json()).toMatchObject({
      body: 'Met at the shop.',
      edited_at: expect.stringMatching(/Z$/),
    });
    for (const body of ['', '  ', 'x'.repeat(2001)])
      expect(await post(path, { body })).toMatchObject({ status: 422 });

    await sql(
      `insert into member_note (member_id, author_kind, author_id, author_name, body)
       values ('${id}', 'operator', '7', 'Zoe', 'Hers')`,
    );
    const [, hers] = (await readSheet(id)).notes;
    expect(hers).toMatchObject({ author: 'Zoe', is_own: false });
    const foreign = fillPath(operatorPaths.note, id, hers.id);
    expect((await ask('PUT', foreign, { body: 'Mine' })).statusCode).toBe(404);
    expect((await ask('DELETE', foreign)).statusCode).toBe(404);
    const link = fillPath(mailPagePaths.downloadData, tokenOf(id, 'preferences'));
    const { rows } = (await postForm(app, link)).json();
    expect(rows.member_note).toMatchObject([{ body: 'Met at the shop.' }, { body: 'Hers' }]);

    expect((await ask('DELETE', own)).statusCode).toBe(204);
    expect((await ask('DELETE', own)).statusCode).toBe(404);
    expect(await change('erase-member', { member: id })).toMatchObject({ status: 201 });
    expect(await sql('select from member_note')).toEqual([]);
  });

  step('mail to a suppressed address is resumed in any spelling, and says why', async () => {
    const resume = (email: string) => post(operatorPaths.resumeMail, { email });
    for (const reason of ['stopped', 'bounced', 'complained'] as const) {
      await suppress('gone@example.com', reason);
      expect(await resume('Gone@Example.com')).toEqual({ status: 200, reason });
      expect(await resume('gone@example.com')).toEqual({ status: 200, reason: null });
    }
    expect(await resume('nobody')).toMatchObject({ status: 422 });
  });

  step('finds whether a member is mailed, and who confirmed', async () => {
    const { id } = await app.join('found@example.com');
    const at = expect.stringMatching(/^20.*Z$/);
    const [mail] = [{ kind: 'welcome', queued_at: at, ended_at: at, state: 'kept', cause: null }];
    await expect
      .poll(async () => (await find(id))[0].mail)
      .toEqual({ state: 'sending', since: null, mails: [mail] });
    expect((await find(id))[0].confirmed_at).toBeNull();
    await confirmMember(app.database, { memberId: id });
    await suppress('found@example.com', 'bounced');
    const bounced = { confirmed_at: at, mail: { state: 'bounced', since: at } };
    expect(await find(id)).toMatchObject([bounced]);
  });

  step('suppressed addresses are listed, with their members as long as they stay', async () => {
    const newest = async () => (await read(suppressedAddresses)).entries[0];
    const { id } = await app.join('Silent@example.com');
    await suppress('silent@example.com', 'stopped');
    const member = { id, email: 'Silent@example.com' };
    expect(await newest()).toMatchObject({ reason: 'stopped', member });
    await change('erase-member', { member: id });
    expect(await newest()).toMatchObject({ reason: 'stopped', member: null });
    // Noticed when a mail to them is held back.
    const again = await app.join('silent@example.com');
    await expect.poll(async () => (await newest()).member?.id).toBe(again.id);
    for (let index = 0; index < 101; index += 1)
      await suppress(`off${index}@example.com`, 'stopped');
    const first = await read(suppressedAddresses);
    const second = await read(`${suppressedAddresses}?after=${first.next}`);
    expect([first.entries.length, second.next]).toEqual([100, null]);
    const times = [...first.entries, ...second.entries].map(({ since }) => since);
    expect(times).toEqual(times.toSorted().reverse());
    expect(times).toHaveLength((await sql('select from mail_suppression')).length);
  });

  test.each([waitingMails, failedMails, suppressedAddresses])(
    '%s refuses what is no end of a page',
    async (path) => {
      for (const after of ['', 'x', `${'9'.repeat(20)}.x`, 'outbox.1'])
        expect((await get(`${path}?after=${after}`)).statusCode).toBe(422);
    },
  );

  step('a test mail is kept as a file while no mail server is set', async () => {
    const file = join(app.config.dataDir, 'mail', 'test', 'test.eml');
    expect(await post(operatorPaths.testMail, { email: 'operator@example.com' })).toEqual({
      status: 200,
      outcome: 'kept',
      file,
      answer: null,
      cause: null,
      error_code: null,
      advice: null,
    });
    expect(readFileSync(file, 'utf8')).toContain('To: operator@example.com');
    expect(await post(operatorPaths.testMail, { email: 'nobody' })).toMatchObject({ status: 422 });
  });

  step('the masks remaining on the site follow stock and allocations', async () => {
    const remaining = async () => (await read(apiPaths.stats)).available_masks;
    expect(await remaining()).toBe(100);
    const setStock = (size: string, stock: number) => change('set-stock', { size, stock });
    expect(await setStock('Small', 23)).toMatchObject({ status: 201 });
    expect(await setStock('Large', 44)).toMatchObject({
      status: 409,
      detail: expect.stringContaining('The site says that there are 100 masks'),
    });
    const press = { size: 'Small', quantity: 3, note: 'for the press' };
    for (const wrong of [{ quantity: 1000 }, { size: 'Huge' }, { note: '' }, { quantity: 0.5 }])
      expect(await change('allocate-masks', { ...press, ...wrong })).toEqual({
        status: expect.toSatisfy((status) => [409, 422].includes(status)),
        detail: expect.stringMatching(/^[A-Z].*[.]$/),
      });
    expect(await remaining()).toBe(90);
    expect(await change('allocate-masks', press)).toMatchObject({ status: 201 });
    expect(await remaining()).toBe(87);
    expect((await read(operatorPaths.sizes)).sizes).toContainEqual({
      name: 'Small',
      stock: 23,
      allocated: 3,
      offered: 0,
      accepted: 0,
      held: 0,
      available: 20,
    });
    const list = async () => (await read(operatorPaths.allocations)).allocations;
    const back = { allocation_id: (await list())[0].id, note: 'sent back' };
    expect(await change('release-masks', back)).toMatchObject({ status: 201 });
    expect(await change('release-masks', back)).toMatchObject({ status: 409 });
    expect(await remaining()).toBe(90);
    expect(await list()).toMatchObject([{ ...press, release_note: 'sent back' }]);
  });
});

describe('wrong tokens', () => {
  const app = provideApp('postgres', { isLimiting: true });

  test('are rate-limited, and the right one still passes', async () => {
    const show = (token: string) => app.get('/metrics', { authorization: `Bearer ${token}` });
    const statuses: number[] = [];
    for (let count = 0; count < 20; count++)
      statuses.push((await show(`wrong${count}`)).statusCode);
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
    const metrics = await app.get('/metrics');
    expect(metrics.statusCode).toBe(200);
    expect(metrics.payload).toContain(
      'http_request_duration_seconds_count{method="GET",route="/metrics",status="401"}',
    );
    expect((await app.get(operatorPaths.counts, NOBODY)).statusCode).toBe(401);
  });
});
