/** Lists, counts, sheets and notes over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ListedMember, MemberPage } from '../../contract/operator/member-list.ts';
import type { MemberSheet } from '../../contract/operator/member-sheet.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import { signLinkToken } from '../../server/mail/link-token.ts';
import { loadSecretKey } from '../../server/mail/secret-key.ts';
import { oneEngine } from '../support/engines.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

type Person = Awaited<ReturnType<TestApp['join']>>;

describe.each(oneEngine)('members for the operator on %s', (engine) => {
  let app: TestApp;
  let inviter: Person;
  let friends: Person[];
  beforeAll(async () => {
    app = await openTestApp(engine);
    await app.join('first@example.com');
    inviter = await app.join('inviter@example.com');
    friends = [];
    for (const name of ['one', 'two', 'three'])
      friends.push(await app.join(`${name}@friends.example`, inviter.referral_code));
  });
  afterAll(() => app.remove());

  async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    return await app.fastify.inject({ method, url, headers, ...(payload && { payload }) });
  }
  const list = async (payload: object) =>
    (await call('POST', operatorPaths.listMembers, payload)).json() as MemberPage;
  const emails = ({ members }: { members: ListedMember[] }) => members.map(({ email }) => email);
  const readSheet = async (id: string) =>
    (await call('GET', fillPath(operatorPaths.member, id))).json() as MemberSheet;

  test('are listed by filter and order, in pages, and counted', async () => {
    const page = await list({ filter: { text: 'friends.ex' }, sort: 'joined', limit: 2 });
    expect(emails(page)).toEqual(['three@friends.example', 'two@friends.example']);
    const rest = await list({
      filter: { text: 'friends.ex' },
      sort: 'joined',
      limit: 2,
      after: page.next,
    });
    expect(emails(rest)).toEqual(['one@friends.example']);
    expect(rest).toMatchObject({ next: null, is_partial: false });
    const count = await call('POST', operatorPaths.countMembers, { filter: { tier: 1 } });
    expect(count.json()).toEqual({ count: 1, is_exact: true });
  });

  test.each([
    [{ filter: { tiers: 1 } }],
    [{ filter: { text: '   ' } }],
    [{ filter: { credit: 'lost' } }],
    [{ filter: { joined_from: 'soon' } }],
    [{ sort: 'email' }],
    [{ limit: 101 }],
    [{ after: 'x' }],
  ])('a list by %j is refused', async (payload) => {
    const answer = await call('POST', operatorPaths.listMembers, payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toMatch(/\w+/);
  });

  test('a sheet says why a member stands where they do, and whom they brought', async () => {
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
    const status = await app.fastify.inject(fillPath(apiPaths.status, inviter.id));
    expect(sheet.page).toEqual(status.json());
    const friend = await readSheet(friends[0]?.id ?? '');
    expect(friend.why).toBe('0 friends × 2 + 1 for an invite = 1 point. Joined as number 3.');
    expect(friend.brought_by).toMatchObject({ id: inviter.id, position: 1 });
  });

  test('friends come in order of joining, in pages', async () => {
    const path = fillPath(operatorPaths.friends, inviter.id);
    expect(emails((await call('GET', path)).json())).toEqual([
      'one@friends.example',
      'two@friends.example',
      'three@friends.example',
    ]);
    expect(emails((await call('GET', `${path}?after=3`)).json())).toEqual([
      'two@friends.example',
      'three@friends.example',
    ]);
    expect((await call('GET', `${path}?after=x`)).statusCode).toBe(422);
  });

  test.each(['x', '018f2b5e-0000-7000-8000-000000000000'])('nobody is %s', async (id) => {
    for (const path of [operatorPaths.member, operatorPaths.friends])
      expect((await call('GET', fillPath(path, id))).statusCode).toBe(404);
    const note = await call('POST', fillPath(operatorPaths.notes, id), { body: 'hello' });
    expect(note.statusCode).toBe(404);
  });

  test('notes are written, changed and deleted, and go with the member', async () => {
    const { id } = await app.join('noted@example.com');
    const path = fillPath(operatorPaths.notes, id);
    const added = await call('POST', path, { body: ' Met at the fair. ' });
    expect(added.statusCode).toBe(201);
    const [note] = (await readSheet(id)).notes;
    expect(note).toMatchObject({ body: 'Met at the fair.', is_own: true, edited_at: null });
    const own = fillPath(operatorPaths.note, id, note?.id ?? '');
    expect((await call('PUT', own, { body: 'Met at the shop.' })).json()).toMatchObject({
      body: 'Met at the shop.',
      edited_at: expect.stringMatching(/Z$/),
    });
    for (const body of ['', '  ', 'x'.repeat(2001)])
      expect((await call('POST', path, { body })).statusCode).toBe(422);

    await app.database.runSql(
      `insert into member_note (member_id, author_kind, author_id, author_name, body)
       values ('${id}', 'operator', '7', 'Zoe', 'Hers')`,
    );
    const [, hers] = (await readSheet(id)).notes;
    expect(hers).toMatchObject({ author: 'Zoe', is_own: false });
    const foreign = fillPath(operatorPaths.note, id, hers?.id ?? '');
    expect((await call('PUT', foreign, { body: 'Mine' })).statusCode).toBe(404);
    expect((await call('DELETE', foreign)).statusCode).toBe(404);

    const secretKey = await loadSecretKey(app.config, app.database);
    const token = signLinkToken(secretKey, {
      purpose: 'preferences',
      memberId: id,
      mailbox: null,
      expiresAt: new Date(Date.now() + 60_000),
    });
    const data = (
      await app.fastify.inject({ method: 'POST', url: fillPath(mailPagePaths.downloadData, token) })
    ).json();
    expect(data.rows.member_note).toMatchObject([{ body: 'Met at the shop.' }, { body: 'Hers' }]);

    expect((await call('DELETE', own)).statusCode).toBe(204);
    expect((await call('DELETE', own)).statusCode).toBe(404);
    const erasure = { kind: 'erase-member', input: { member: id }, reason: 'asked for it' };
    expect((await call('POST', operatorPaths.changes, erasure)).statusCode).toBe(201);
    const left = await app.database.runSql('select count(*) as notes from member_note');
    expect(left.rows).toEqual([{ notes: 0 }]);
  });
});
