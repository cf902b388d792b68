/** The webhook for bounces and complaints, signed according to Standard Webhooks. */
import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { apiPaths } from '../../contract/paths.ts';
import { readSuppression } from '../../server/mail/suppression/store.ts';
import { captureLog } from '../support/captured-log.ts';
import { oneEngine } from '../support/engines.ts';
import { dumpLine, readKeptMail, SECRET_KEY, settleMail } from './mail-links.ts';
import { provideApp } from './provide-app.ts';
import type { TestApp } from './test-app.ts';

const KEY = Buffer.from('a webhook secret of 32 bytes....');
const OTHER_KEY = Buffer.from('another secret of 32 bytes......');
const settings = { secretKey: SECRET_KEY, mailWebhookSecret: `whsec_${KEY.toString('base64')}` };

type Report = {
  readonly id?: string;
  readonly secondsAgo?: number;
  readonly key?: Buffer;
  /** What is signed, if it is not the body. */
  readonly signed?: string;
  readonly remoteAddress?: string;
};

/** Signs without the library, following the text of the specification. */
async function report(
  app: TestApp,
  body: string,
  { id = 'msg_1', secondsAgo = 0, key = KEY, signed = body, ...rest }: Report = {},
  headers: (signature: string) => object = () => ({}),
) {
  const timestamp = Math.floor(Date.now() / 1000) - secondsAgo;
  const signature = createHmac('sha256', key)
    .update(`${id}.${timestamp}.${signed}`)
    .digest('base64');
  const answer = await app.fastify.inject({
    method: 'POST',
    url: apiPaths.mailEvents,
    payload: body,
    ...rest,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
      ...headers(signature),
    },
  });
  return { status: answer.statusCode, ...answer.json() };
}

describe.each(oneEngine)('bounces and complaints on %s', (engine) => {
  const log = captureLog();
  const app = provideApp(engine, settings, log.logger);
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
      const body = JSON.stringify({ ...event, email: email.toUpperCase() });
      expect(await report(app, body)).toEqual({ status: 202 });
      expect(await reasonOf(email)).toBe(reason);
    }
  });

  test('no mail is sent to a bounced address, and the log does not name it', async () => {
    const bounce = { type: 'bounce', permanent: true, email: 'void@example.com' };
    await report(app, JSON.stringify(bounce));
    const { id } = await app.join('void@example.com');
    const { id: other } = await app.join('full@example.com');
    await settleMail(app);
    expect(readKeptMail(app, other)).toHaveLength(1);
    expect(() => readKeptMail(app, id)).toThrow('ENOENT');
    expect(log.text()).toContain(apiPaths.mailEvents);
    expect(log.text().toLowerCase()).not.toContain('example.com');
  });

  test('a repeated report changes nothing', async () => {
    const body = JSON.stringify({ type: 'complaint', email: 'again@example.com' });
    await report(app, body);
    await settleMail(app);
    const once = await dumpLine(app);
    for (let times = 0; times < 3; times++)
      expect(await report(app, body)).toMatchObject({ status: 202 });
    expect(await dumpLine(app)).toBe(once);
  });
});

describe('access', () => {
  const app = provideApp('postgres', { ...settings, isLimiting: true });
  beforeEach(() => app.sql('delete from mail_suppression'));

  const body = JSON.stringify({ type: 'complaint', email: 'quiet@example.com' });

  test.each<[string, Report, Record<string, string>]>([
    ['signed with another key', { key: OTHER_KEY }, {}],
    ['from six minutes ago', { secondsAgo: 360 }, {}],
    ['from six minutes ahead', { secondsAgo: -360 }, {}],
    ['with another body', { signed: `${body} ` }, {}],
    ['with another id', {}, { 'webhook-id': 'msg_2' }],
    ['with another timestamp', {}, { 'webhook-timestamp': String(Date.now() / 1000 - 1) }],
    ['without a signature', {}, { 'webhook-signature': '' }],
    ['with half a signature', {}, { 'webhook-signature': 'v1' }],
    ['with another version', {}, { 'webhook-signature': 'v2,AAAA' }],
    ['without a timestamp', {}, { 'webhook-timestamp': 'now' }],
  ])('a report %s is refused', async (_name, what, headers) => {
    expect(await report(app, body, what, () => headers)).toEqual({
      status: 401,
      detail: 'The signature of this report is missing, wrong or too old.',
    });
    expect(await app.sql('select from mail_suppression')).toEqual([]);
  });

  test('one valid signature of several is enough, for rotating the secret', async () => {
    const several = (signature: string) => ({
      'webhook-signature': `v1,${'A'.repeat(43)}= v1,${signature}`,
    });
    expect(await report(app, body, {}, several)).toEqual({ status: 202 });
  });

  test.each([
    ['not JSON', '{"type":', 400],
    ['of an unknown type', JSON.stringify({ type: 'open', email: 'a@example.com' }), 422],
    ['without an address', JSON.stringify({ type: 'bounce' }), 422],
    ['with an invalid address', JSON.stringify({ type: 'bounce', email: 'nobody' }), 422],
    ['an array', '[]', 422],
  ])('a report that is %s gets an explanation', async (_name, wrong, status) => {
    const detail = expect.stringMatching(/^[A-Z].*[.]$/);
    expect(await report(app, wrong)).toEqual({ status, detail });
  });

  test('other content types, and no report at all, are refused', async () => {
    const asText = () => ({ 'content-type': 'text/plain' });
    expect(await report(app, body, {}, asText)).toMatchObject({ status: 415 });
    expect(await app.post(apiPaths.mailEvents)).toMatchObject({ status: 401 });
  });

  test('repeated invalid signatures are rate-limited', async () => {
    const from = { remoteAddress: '192.0.2.9' };
    let status = 401;
    for (let times = 0; times < 100 && status === 401; times++)
      status = (await report(app, body, { ...from, key: OTHER_KEY })).status;
    expect(status).toBe(429);
    expect(await report(app, body, from)).toMatchObject({ status: 202 });
  });
});

describe('without a secret', () => {
  const app = provideApp('postgres');

  test('the path answers 404', async () => {
    const detail = 'There is nothing at this path.';
    expect(await report(app, '{}')).toEqual({ status: 404, detail });
  });
});
