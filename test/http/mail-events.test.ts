/** The webhook for bounces and complaints, signed according to Standard Webhooks. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiPaths } from '../../contract/paths.ts';
import { readSuppression } from '../../server/mail/suppression/store.ts';
import { captureLog } from '../support/captured-log.ts';
import { oneEngine } from '../support/engines.ts';
import { dumpLine, readKeptMail, SECRET_KEY, settleMail } from './mail-links.ts';
import { openTestApp, type TestApp } from './test-app.ts';

const KEY = Buffer.from('a webhook secret of 32 bytes....');
const settings = { secretKey: SECRET_KEY, mailWebhookSecret: `whsec_${KEY.toString('base64')}` };

type Report = {
  body: string;
  id?: string;
  secondsAgo?: number;
  key?: Buffer;
  type?: string;
  remoteAddress?: string;
};

/** Signs without the library, following the text of the specification. */
function report(
  app: TestApp,
  { body, id = 'msg_1', secondsAgo = 0, key = KEY, ...rest }: Report,
  headers = {},
) {
  const timestamp = Math.floor(Date.now() / 1000) - secondsAgo;
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return app.fastify.inject({
    method: 'POST',
    url: apiPaths.mailEvents,
    payload: body,
    ...(rest.remoteAddress !== undefined && { remoteAddress: rest.remoteAddress }),
    headers: {
      'content-type': rest.type ?? 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
      ...headers,
    },
  });
}

describe.each(oneEngine)('bounces and complaints on %s', (engine) => {
  let app: TestApp;
  const log = captureLog();
  beforeAll(async () => {
    app = await openTestApp(engine, settings, log.logger);
  });
  afterAll(() => app.remove());

  const reasonOf = async (identity: string) =>
    (await readSuppression(app.database, SECRET_KEY, identity))?.reason ?? null;

  test.each([
    ['a complaint', { type: 'complaint' }, 'complained'],
    ['a permanent bounce', { type: 'bounce', permanent: true }, 'bounced'],
    ['a temporary bounce', { type: 'bounce', permanent: false }, null],
    ['a bounce of unknown kind', { type: 'bounce' }, null],
  ])('%s is accepted, for members and strangers alike', async (name, event, reason) => {
    const local = name.replaceAll(' ', '.');
    const member = `${local}@example.com`;
    await app.join(member);
    for (const email of [member, `${local}.stranger@example.com`]) {
      const answer = await report(app, {
        body: JSON.stringify({ ...event, email: email.toUpperCase() }),
      });
      expect([answer.statusCode, answer.payload]).toEqual([202, '{}']);
      expect(await reasonOf(email)).toBe(reason);
    }
  });

  test('no mail is sent to a bounced address', async () => {
    await report(app, {
      body: JSON.stringify({ type: 'bounce', permanent: true, email: 'void@example.com' }),
    });
    const { id } = await app.join('void@example.com');
    const { id: other } = await app.join('full@example.com');
    await settleMail(app);
    expect(readKeptMail(app, other)).toHaveLength(1);
    expect(() => readKeptMail(app, id)).toThrow('ENOENT');
  });

  test('a repeated report changes nothing', async () => {
    const body = JSON.stringify({ type: 'complaint', email: 'again@example.com' });
    await report(app, { body });
    await settleMail(app);
    const once = await dumpLine(app);
    for (let times = 0; times < 3; times++)
      expect((await report(app, { body })).statusCode).toBe(202);
    expect(await dumpLine(app)).toBe(once);
  });

  test('the log contains no address', async () => {
    const body = JSON.stringify({ type: 'complaint', email: 'logged@example.com' });
    expect((await report(app, { body })).statusCode).toBe(202);
    expect(log.text()).toContain(apiPaths.mailEvents);
    expect(log.text().toLowerCase()).not.toContain('example.com');
  });
});

describe('access', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp('postgres', { ...settings, isLimiting: true });
  });
  afterAll(() => app.remove());

  beforeEach(() => app.database.kysely.deleteFrom('mail_suppression').execute());

  const body = JSON.stringify({ type: 'complaint', email: 'quiet@example.com' });
  const isSuppressed = async () =>
    (await readSuppression(app.database, SECRET_KEY, 'quiet@example.com')) !== null;

  test.each<[string, Report, Record<string, string>]>([
    ['signed with another key', { body, key: Buffer.from('another secret of 32 bytes......') }, {}],
    ['from six minutes ago', { body, secondsAgo: 360 }, {}],
    ['from six minutes ahead', { body, secondsAgo: -360 }, {}],
    ['with another id', { body }, { 'webhook-id': 'msg_2' }],
    [
      'with another timestamp',
      { body },
      { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 1) },
    ],
    ['without a signature', { body }, { 'webhook-signature': '' }],
    ['with half a signature', { body }, { 'webhook-signature': 'v1' }],
    ['with another version', { body }, { 'webhook-signature': 'v2,AAAA' }],
    ['without a timestamp', { body }, { 'webhook-timestamp': 'now' }],
  ])('a report %s is refused', async (_name, what, headers) => {
    const answer = await report(app, what, headers);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({
      detail: 'The signature of this report is missing, wrong or too old.',
    });
    expect(await isSuppressed()).toBe(false);
  });

  test('a report with an altered body is refused', async () => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', KEY)
      .update(`msg_1.${timestamp}.${body}`)
      .digest('base64');
    const headers = { 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    expect((await report(app, { body: `${body} ` }, headers)).statusCode).toBe(401);
    expect(await isSuppressed()).toBe(false);
    expect((await report(app, { body }, headers)).statusCode).toBe(202);
  });

  test('one valid signature of several is enough, for rotating the secret', async () => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', KEY)
      .update(`msg_1.${timestamp}.${body}`)
      .digest('base64');
    const several = `v1,${'A'.repeat(43)}= v1,${signature}`;
    const headers = { 'webhook-timestamp': timestamp, 'webhook-signature': several };
    expect((await report(app, { body }, headers)).statusCode).toBe(202);
  });

  test.each([
    ['not JSON', '{"type":', 400],
    ['of an unknown type', JSON.stringify({ type: 'open', email: 'a@example.com' }), 422],
    ['without an address', JSON.stringify({ type: 'bounce' }), 422],
    ['with an invalid address', JSON.stringify({ type: 'bounce', email: 'nobody' }), 422],
    ['an array', '[]', 422],
  ])('a report that is %s gets an explanation', async (_name, wrong, status) => {
    const answer = await report(app, { body: wrong });
    expect(answer.statusCode).toBe(status);
    expect(answer.json().detail).toMatch(/^[A-Z].*[.]$/);
  });

  test('other content types are refused', async () => {
    expect((await report(app, { body, type: 'text/plain' })).statusCode).toBe(415);
    const empty = await app.fastify.inject({ method: 'POST', url: apiPaths.mailEvents });
    expect(empty.statusCode).toBe(401);
  });

  test('repeated invalid signatures are rate-limited', async () => {
    const wrong = { body, key: Buffer.from('x'), remoteAddress: '192.0.2.9' };
    let status = 401;
    for (let times = 0; times < 100 && status === 401; times++)
      status = (await report(app, wrong)).statusCode;
    expect(status).toBe(429);
    expect((await report(app, { body, remoteAddress: '192.0.2.9' })).statusCode).toBe(202);
  });
});

test('without a secret the path answers 404', async () => {
  const app = await openTestApp('postgres');
  const answer = await report(app, { body: '{}' });
  expect([answer.statusCode, answer.json()]).toEqual([
    404,
    { detail: 'There is nothing at this path.' },
  ]);
  await app.remove();
});
