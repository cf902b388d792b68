/** The operator API, on both engines. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths } from '../../contract/paths.ts';
import { confirmMember } from '../../server/line/change-member.ts';
import { loadSecretKey } from '../../server/mail/secret-key.ts';
import { type SuppressionReason, suppressAddress } from '../../server/mail/suppression/store.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { type OperatorCall, readOperatorCalls } from './operator-calls.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

describe.each(oneEngine)('the operator API on %s', (engine) => {
  let app: TestApp;
  let described: readonly OperatorCall[];
  beforeAll(async () => {
    app = await openTestApp(engine);
    described = await readOperatorCalls(app);
  });
  afterAll(() => app.remove());

  /** Every answer is one that the document describes. */
  async function call(method: OperatorCall['method'], url: string, payload?: object) {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    const answer = await app.fastify.inject({ method, url, headers, ...(payload && { payload }) });
    const pathname = url.replace(/\?.*/, '');
    const operations = described.filter(
      (one) =>
        one.method === method &&
        new URLPattern({ pathname: one.path.replaceAll(/\{(\w+)\}/g, ':$1') }).test({ pathname }),
    );
    // As the router prefers: a path of its own before one with a parameter.
    const operation = operations.find(({ path }) => path === pathname) ?? operations[0];
    expect(operation?.statuses).toContain(answer.statusCode);
    return answer;
  }

  const change = (kind: string, input: object) =>
    call('POST', operatorPaths.changes, { kind, input, reason: 'a test' });
  const setStock = (size: string, stock: number) => change('set-stock', { size, stock });

  async function suppress(identity: string, reason: SuppressionReason): Promise<void> {
    const secretKey = await loadSecretKey(app.config, app.database);
    await suppressAddress(app.database, secretKey, { identity, reason });
  }

  const step = tellStory('goes through one step after the other');

  step('every call but those that sign in needs the token', async () => {
    expect(described.length).toBeGreaterThan(Object.keys(operatorPaths).length);
    for (const { method, url } of described.filter(({ access }) => access !== 'anyone'))
      for (const authorization of [
        undefined,
        'Bearer wrong',
        `Basic ${OPERATOR_TOKEN}`,
        `Bearer ${OPERATOR_TOKEN}x`,
      ]) {
        const headers = { ...(authorization !== undefined && { authorization }) };
        const response = await app.fastify.inject({ method, url, headers });
        expect([method, url, response.statusCode]).toEqual([method, url, 401]);
        expect(response.headers['www-authenticate']).toContain('Bearer');
        expect(Object.keys(response.json())).toEqual(['detail']);
      }
  });

  step('counts, finds and removes: the line moves up and the credit is taken back', async () => {
    const inviter = await app.join('inviter@example.com');
    const friend = await app.join('friend@example.com', inviter.referral_code);
    expect((await call('GET', operatorPaths.counts)).json()).toMatchObject({
      members: 2,
      best_referral_count: 1,
    });
    for (const text of [friend.id, 'FRIEND@example.com', friend.referral_code.toLowerCase()]) {
      const found = await call('POST', operatorPaths.findMembers, { text });
      expect(found.json().members).toMatchObject([
        { id: friend.id, is_invited: true, referred_by: inviter.referral_code },
      ]);
    }
    expect((await change('erase-member', { member: friend.id })).statusCode).toBe(201);
    expect((await change('erase-member', { member: friend.id })).statusCode).toBe(404);
    expect((await call('POST', operatorPaths.findMembers, { text: friend.id })).json()).toEqual({
      members: [],
    });
    expect((await call('GET', operatorPaths.counts)).json()).toMatchObject({
      members: 1,
      best_referral_count: 0,
    });
    expect((await call('POST', operatorPaths.verify)).json()).toEqual({
      members: 1,
      differences: [],
      audit: { entries: 1, head: expect.stringMatching(/^1:[0-9a-f]{64}$/) },
    });
  });

  step('resumes mail to a suppressed address in any spelling, and says why it was so', async () => {
    const resume = (email: string) => call('POST', operatorPaths.resumeMail, { email });
    for (const reason of ['stopped', 'bounced', 'complained'] as const) {
      await suppress('gone@example.com', reason);
      expect((await resume('Gone@Example.com')).json()).toEqual({ reason });
      expect((await resume('gone@example.com')).json()).toEqual({ reason: null });
    }
    expect((await resume('nobody')).statusCode).toBe(422);
  });

  step('finds whether a member is mailed, and who confirmed', async () => {
    const { id } = await app.join('found@example.com');
    const find = async () =>
      (await call('POST', operatorPaths.findMembers, { text: id })).json().members[0];
    await expect
      .poll(async () => (await find()).mail)
      .toEqual({
        state: 'sending',
        since: null,
        mails: [
          {
            kind: 'welcome',
            queued_at: expect.stringMatching(/Z$/),
            ended_at: expect.stringMatching(/Z$/),
            state: 'kept',
            cause: null,
          },
        ],
      });
    expect((await find()).confirmed_at).toBeNull();
    await confirmMember(app.database, { memberId: id });
    await suppress('found@example.com', 'bounced');
    expect(await find()).toMatchObject({
      confirmed_at: expect.stringMatching(/^20.*Z$/),
      mail: { state: 'bounced', since: expect.stringMatching(/^20.*Z$/) },
    });
  });

  step('lists suppressed addresses, with their members as long as they are in line', async () => {
    const entryOf = async (after = '') => {
      const url = operatorPaths.suppressedAddresses + after;
      return (await call('GET', url)).json().entries[0];
    };
    const { id } = await app.join('Silent@example.com');
    await suppress('silent@example.com', 'stopped');
    const member = { id, email: 'Silent@example.com' };
    expect(await entryOf()).toMatchObject({ reason: 'stopped', member });
    await change('erase-member', { member: id });
    expect(await entryOf()).toMatchObject({ reason: 'stopped', member: null });
    // Noticed when a mail to them is held back.
    const again = await app.join('silent@example.com');
    await expect.poll(async () => (await entryOf()).member?.id).toBe(again.id);
  });

  test.each([
    operatorPaths.waitingMails,
    operatorPaths.failedMails,
    operatorPaths.suppressedAddresses,
  ])('%s refuses what is no end of a page', async (path) => {
    for (const after of ['', 'x', `${'9'.repeat(20)}.x`, 'outbox.1'])
      expect((await call('GET', `${path}?after=${after}`)).statusCode).toBe(422);
  });

  step('lists all suppressed addresses in pages', async () => {
    for (let index = 0; index < 101; index += 1)
      await suppress(`off${index}@example.com`, 'stopped');
    const path = operatorPaths.suppressedAddresses;
    const first = (await call('GET', path)).json();
    const second = (await call('GET', `${path}?after=${first.next}`)).json();
    expect([first.entries.length, second.next]).toEqual([100, null]);
    const times = [...first.entries, ...second.entries].map(({ since }) => since);
    expect(times).toEqual(times.toSorted().reverse());
    const { rows } = await app.database.runSql('select from mail_suppression');
    expect(times).toHaveLength(rows.length);
  });

  step('keeps a test mail as a file while no mail server is set', async () => {
    const test = (email: string) => call('POST', operatorPaths.testMail, { email });
    const file = join(app.config.dataDir, 'mail', 'test', 'test.eml');
    expect((await test('operator@example.com')).json()).toEqual({
      outcome: 'kept',
      file,
      answer: null,
      cause: null,
      error_code: null,
      advice: null,
    });
    expect(readFileSync(file, 'utf8')).toContain('To: operator@example.com');
    expect((await test('nobody')).statusCode).toBe(422);
  });

  step('exports by position, as CSV that is safe to open in a spreadsheet', async () => {
    await app.join('=cmd|calc@example.com');
    await app.join('+1@example.com');
    const csv = await call('GET', `${operatorPaths.exportMembers}?format=csv`);
    expect(csv.headers['content-type']).toContain('text/csv');
    const lines = csv.payload.split('\r\n');
    expect(lines[0]).toMatch(/^\uFEFFposition,email,referral_code,/);
    expect(lines.at(-1)).toBe('');
    expect(csv.payload).toContain(",'=cmd|calc@example.com,");
    expect(csv.payload).toContain(",'+1@example.com,");
    const members = (await call('GET', `${operatorPaths.exportMembers}?format=json`)).json() as {
      position: number;
    }[];
    expect(members.map(({ position }) => position)).toEqual(members.map((_, index) => index + 1));
    expect(members).toHaveLength(lines.length - 2);
    expect((await call('GET', `${operatorPaths.exportMembers}?format=xml`)).statusCode).toBe(422);
  });

  step('the masks remaining on the site follow stock and allocations', async () => {
    const remaining = async () => {
      const response = await app.fastify.inject({ method: 'GET', url: apiPaths.stats });
      return response.json().available_masks;
    };
    expect(await remaining()).toBe(100);
    const made = await setStock('Small', 23);
    expect(made.statusCode).toBe(201);
    expect(await remaining()).toBe(90);
    const press = { size: 'Small', quantity: 3, note: 'for the press' };
    expect((await change('allocate-masks', press)).statusCode).toBe(201);
    expect(await remaining()).toBe(87);
    expect((await call('GET', operatorPaths.sizes)).json().sizes).toContainEqual({
      name: 'Small',
      stock: 23,
      allocated: 3,
      offered: 0,
      accepted: 0,
      held: 0,
      available: 20,
    });
    const list = async () => (await call('GET', operatorPaths.allocations)).json().allocations;
    const back = { allocation_id: (await list())[0].id, note: 'sent back' };
    expect((await change('release-masks', back)).statusCode).toBe(201);
    expect((await change('release-masks', back)).statusCode).toBe(409);
    expect(await remaining()).toBe(90);
    expect(await list()).toMatchObject([{ ...press, release_note: 'sent back' }]);
  });

  step('sizes are renamed, and removed only once the site shows them no more', async () => {
    const rename = (size: string, name: string) => change('rename-size', { size, name });
    const remove = (size: string) => change('remove-size', { size });
    const more = await setStock('Large', 44);
    expect(more.statusCode).toBe(409);
    expect(more.json().detail).toContain('The site says that there are 100 masks');
    expect((await remove('Large')).json().detail).toContain('take it out of brand.ts');
    expect((await rename('Large', 'L / XL')).json().summary).toContain('renamed to L / XL');
    expect((await rename('Large', 'L')).statusCode).toBe(422);
    expect((await rename('L / XL', 'small')).statusCode).toBe(409);
    expect((await remove('L / XL')).json().summary).toContain('33 masks were removed');
    const { sizes } = (await call('GET', operatorPaths.sizes)).json();
    expect(sizes.map(({ name }: { name: string }) => name)).toEqual(['Small', 'Medium']);
  });

  test.each([
    ['more masks than there are', { size: 'Medium', quantity: 1000, note: 'x' }],
    ['a size that does not exist', { size: 'Huge', quantity: 1, note: 'x' }],
    ['no note', { size: 'Medium', quantity: 1, note: '' }],
    ['none', { size: 'Medium', quantity: 0, note: 'x' }],
    ['half a mask', { size: 'Medium', quantity: 0.5, note: 'x' }],
  ])('%s cannot be allocated', async (_name, payload) => {
    const response = await change('allocate-masks', payload);
    expect([404, 409, 422]).toContain(response.statusCode);
    expect(response.json().detail).toMatch(/^[A-Z].*[.]$/);
  });
});

test('wrong tokens are rate-limited, and the right one still passes', async () => {
  const app = await openTestApp('postgres', { isLimiting: true });
  const show = (token: string) =>
    app.fastify.inject({
      method: 'GET',
      url: '/metrics',
      headers: { authorization: `Bearer ${token}` },
    });
  const statuses: number[] = [];
  for (let count = 0; count < 20; count++) statuses.push((await show(`wrong${count}`)).statusCode);
  expect(statuses[0]).toBe(401);
  expect(statuses.at(-1)).toBe(429);
  const metrics = await show(OPERATOR_TOKEN);
  expect(metrics.statusCode).toBe(200);
  expect(metrics.payload).toContain(
    'http_request_duration_seconds_count{method="GET",route="/metrics",status="401"}',
  );
  await app.remove();
});
