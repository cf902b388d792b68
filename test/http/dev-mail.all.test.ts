/** Reading kept mail in the browser: on this machine only, and safe for any content. */
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { devMailPaths, devMailWithKey } from '../../contract/dev-mail-paths.ts';
import { confirmingPath, fillPath } from '../../contract/paths.ts';
import type { App } from '../../server/app.ts';
import type { Config } from '../../server/config.ts';
import { keptMailKey } from '../../server/notifications/dev/access.ts';
import { openTestApp, type TestApp } from './test-app.ts';

const publicUrl = 'http://127.0.0.1:3000';
const SECRET_KEY = 'the secret key of the tests of kept mail';
/** As a browser has it that has opened the address with the key. */
const COOKIE = { cookie: `another=1; kept-mail=${keptMailKey(SECRET_KEY)}` };
let app: TestApp;
const get = (url: string, headers: Record<string, string> = COOKIE, { fastify }: App = app) =>
  fastify.inject({
    method: 'GET',
    url,
    headers: { host: '127.0.0.1:3000', accept: 'text/html', ...headers },
  });

beforeAll(async () => {
  app = await openTestApp('postgres', { publicUrl, secretKey: SECRET_KEY });
});
afterAll(() => app.remove());

/** Writes a mail file last changed at the given minute. */
function keep(
  name: string,
  { subject, html = '<p>x</p>', minute = 0 }: { subject: string; html?: string; minute?: number },
) {
  const path = join(app.config.dataDir, 'mail', name);
  mkdirSync(join(path, '..'), { recursive: true });
  const source =
    `From: Line <line@example.com>\r\nTo: ada@example.com\r\nSubject: ${subject}\r\n` +
    `Content-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n`;
  writeFileSync(path, source);
  utimesSync(path, 1_800_000_000 + minute * 60, 1_800_000_000 + minute * 60);
  return source;
}

describe('the list', () => {
  test('says when there is nothing', async () => {
    rmSync(join(app.config.dataDir, 'mail'), { recursive: true, force: true });
    const page = await get(devMailPaths.list);
    expect(page.statusCode).toBe(200);
    expect(page.payload).toContain('Nothing yet');
  });

  test('shows the newest first, from all folders, escaped', async () => {
    keep('member-0/older.eml', { subject: 'Older', minute: 1 });
    keep('member-1/job-1.eml', { subject: '<b>Newer</b>', minute: 2 });
    keep('member-1/.draft', { subject: 'A draft', minute: 3 });
    const { payload } = await get(devMailPaths.list);
    expect(payload.indexOf('&lt;b&gt;Newer&lt;/b&gt;')).toBeLessThan(payload.indexOf('Older'));
    expect(payload.indexOf('&lt;b&gt;Newer')).toBeGreaterThan(0);
    expect(payload).toContain(`href="${fillPath(devMailPaths.mail, 'member-1/job-1.eml')}"`);
    expect(payload).toContain('ada@example.com');
    expect(payload).not.toContain('A draft');
  });

  test('shows 50 mails a page', async () => {
    for (let index = 0; index < 60; index += 1)
      keep(`paged-${index}/job.eml`, { subject: `Paged ${index}.`, minute: -5_000_000 - index });
    const first = (await get(devMailPaths.list)).payload;
    const second = (await get(`${devMailPaths.list}?page=2`)).payload;
    const shown = (payload: string) =>
      Array.from(payload.matchAll(/Paged (\d+)\./g), ([, index]) => Number(index));
    expect([...shown(first), ...shown(second)]).toEqual(Array.from({ length: 60 }, (_, at) => at));
    expect(first.match(/<li>/g)).toHaveLength(50);
    expect(first).toContain(`href="${devMailPaths.list}?page=2">Older`);
    expect(second).toContain(`href="${devMailPaths.list}">Newer`);
    expect(second).not.toContain('>Older');
    for (const page of ['0', '-1', '1e3', '']) {
      const answer = await get(`${devMailPaths.list}?page=${page}`);
      expect([page, answer.statusCode]).toEqual([page, 422]);
    }
  });

  test('shows a mail as soon as the server has kept it', async () => {
    const { id } = await app.join('grace@example.com');
    await expect
      .poll(async () => (await get(devMailPaths.list)).payload, { timeout: 30_000 })
      .toContain('grace@');
    const { payload } = await get(devMailPaths.list);
    const link =
      /href="([^"]+)">[^<]*<\/a><span class="quiet">grace@example\.com/.exec(payload)?.[1] ?? '';
    const page = await get(link);
    expect(page.payload).toContain(`${publicUrl}/thank-you/${id}`);
    expect((await get(`${link}/html`)).payload).toContain(`${publicUrl}${confirmingPath(id, '')}`);
  });
});

describe('a kept mail', () => {
  test('is shown as HTML that cannot run or load anything; its links open a tab', async () => {
    keep('m/evil.eml', {
      subject: 'Evil',
      html: '<html><head><title>x</title></head><script>alert(1)</script></html>',
    });
    const mail = await get(fillPath(devMailPaths.mailHtml, 'm/evil.eml'));
    const policy = String(mail.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`img-src 'self' ${publicUrl};`);
    expect(policy).toMatch(/sandbox allow-popups allow-popups-to-escape-sandbox$/);
    expect(policy).not.toMatch(/script|allow-same-origin/);
    expect(mail.headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(mail.payload).toContain('<head><base target="_blank"><title>');
  });

  test('is shown in a frame, on a page with the strictest policy that allows it', async () => {
    keep('m/evil.eml', { subject: 'Evil' });
    const page = await get(fillPath(devMailPaths.mail, 'm/evil.eml'));
    expect(page.payload).toContain(`sandbox="allow-popups allow-popups-to-escape-sandbox"`);
    expect(page.payload).toContain(`src="${fillPath(devMailPaths.mailHtml, 'm/evil.eml')}"`);
    expect(page.payload).not.toContain('<script');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; frame-src 'self';/);
    expect(policy).not.toContain('unsafe');
  });

  test('is available as its plain-text source', async () => {
    const source = keep('m/source.eml', { subject: 'Source' });
    const answer = await get(fillPath(devMailPaths.mailSource, 'm/source.eml'));
    expect(answer.payload).toBe(source);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
  });

  test.each([
    '../operator-token',
    '../../etc/passwd',
    'm/../../operator-token',
    '/etc/passwd',
    'm',
    '',
    'm/evil.eml\0',
    'nowhere.eml',
    '..\\operator-token',
  ])('with the name %j does not exist', async (name) => {
    for (const path of [
      fillPath(devMailPaths.mail, name),
      fillPath(devMailPaths.mailHtml, name),
      fillPath(devMailPaths.mailSource, name),
    ]) {
      const answer = await get(path);
      expect(answer.statusCode).toBe(404);
      expect(answer.payload).not.toMatch(/test-operator-token|root:/);
    }
  });

  test('is a regular file, never a symbolic link', async () => {
    const { dataDir } = app.config;
    keep('m/own.eml', { subject: 'Own' });
    keep('../elsewhere/secret.eml', { subject: 'a secret', minute: 9 });
    symlinkSync(join(dataDir, 'elsewhere', 'secret.eml'), join(dataDir, 'mail', 'm', 'link.eml'));
    symlinkSync(join(dataDir, 'elsewhere'), join(dataDir, 'mail', 'link'));
    expect((await get(devMailPaths.list)).payload).not.toContain('a secret');
    for (const name of ['m/link.eml', 'link/secret.eml'])
      expect((await get(fillPath(devMailPaths.mailSource, name))).statusCode).toBe(404);
  });
});

describe('the samples', () => {
  test('show every mail, as HTML and as text', async () => {
    const { payload } = await get(devMailPaths.samples);
    const names = [
      'welcome',
      'confirm',
      'status-link',
      'confirm-reminder',
      'friends',
      'tier',
      ...['offer', 'offer-reminder', 'pass', 'pass-paid', 'pay-reminder', 'pass-unpaid'],
      'pass-cancelled',
      ...['enter', 'enter-reminder', 'entered', 'entry-over'],
      ...['mask-address', 'mask-sent', 'offer-ended', 'not-chosen'],
      ...['reward', 'reward-code', 'top100-entered', 'top100-left'],
    ];
    for (const name of names) {
      expect(payload).toContain(`src="${fillPath(devMailPaths.sampleHtml, name)}"`);
      const mail = await get(fillPath(devMailPaths.sampleHtml, name));
      expect(mail.statusCode).toBe(200);
      const { sampleGhost, sampleReward } = devMailPaths;
      expect(mail.payload).toContain(publicUrl + (name === 'tier' ? sampleReward : sampleGhost));
    }
    expect(payload.match(/<pre/g)).toHaveLength(names.length);
    expect((await get(fillPath(devMailPaths.sampleHtml, 'other'))).statusCode).toBe(404);
  });

  test.each([devMailPaths.sampleGhost, devMailPaths.sampleReward])(
    'show %s, which the sandbox may load',
    async (path) => {
      const image = await get(path);
      expect(image.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
      expect(image.headers['cross-origin-resource-policy']).toBe('cross-origin');
    },
  );
});

const paths = [
  devMailPaths.list,
  devMailPaths.samples,
  fillPath(devMailPaths.sampleHtml, 'welcome'),
  devMailPaths.sampleGhost,
  fillPath(devMailPaths.mail, 'member-0/older.eml'),
  fillPath(devMailPaths.mailSource, 'member-0/older.eml'),
];

test('no page is cached, indexed or changed on its way', async () => {
  keep('member-0/older.eml', { subject: 'Older' });
  for (const path of paths) {
    const { statusCode, headers } = await get(path);
    expect([path, statusCode]).toEqual([path, 200]);
    const isPage = String(headers['content-type']).startsWith('text/html');
    expect(headers).toMatchObject({
      'cache-control': isPage ? 'no-store, no-transform' : 'no-store',
      'x-robots-tag': 'noindex',
    });
  }
});

const keptPaths = paths.filter((path) => !path.startsWith(devMailPaths.samples));

describe('the key', () => {
  test('is in the address that the server prints, which sets a cookie', async () => {
    const address = new URL(app.keptMailAddress ?? '');
    expect(address.origin).toBe(publicUrl);
    const first = await get(address.pathname + address.search, {});
    expect(first.statusCode).toBe(303);
    expect(first.headers.location).toBe(devMailPaths.list);
    const [cookie = '', ...attributes] = String(first.headers['set-cookie']).split('; ');
    expect(attributes).toEqual(['Path=/dev/mail', 'HttpOnly', 'SameSite=Strict']);
    expect((await get(devMailPaths.list, { cookie })).statusCode).toBe(200);
  });

  test('is needed for every page with kept mail', async () => {
    expect(keptPaths).toHaveLength(3);
    for (const url of [...keptPaths, devMailWithKey('guessed'), devMailWithKey('')])
      for (const cookie of ['', 'kept-mail=', 'kept-mail=guessed']) {
        const answer = await get(url, { cookie });
        expect([url, answer.statusCode]).toEqual([url, 404]);
        expect(answer.payload).toContain('>Kept mail needs its key: open the address that ');
      }
  });

  test('is asked for in JSON where no browser asks', async () => {
    const answer = await get(devMailPaths.list, { accept: '*/*' });
    expect(answer.statusCode).toBe(404);
    expect(answer.json().detail).toMatch(/^Kept mail needs its key: open the address that /);
  });
});

describe('a request that a proxy may have sent', () => {
  /** What nginx 1.22 sends with nothing but `proxy_pass`, of a browser that asked for a page. */
  const fromNginx = (path: string) =>
    `GET ${path} HTTP/1.0\r\nHost: 127.0.0.1:3000\r\nConnection: close\r\n` +
    'User-Agent: Mozilla/5.0\r\nAccept: text/html\r\nSec-Fetch-Site: none\r\n' +
    `Sec-Fetch-Mode: navigate\r\nCookie: ${COOKIE.cookie}\r\n\r\n`;

  async function send(port: number, text: string): Promise<string> {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    socket.write(text);
    return (await socket.toArray()).join('');
  }

  test('closes all pages until the next start, and says why, once in the log', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
    const other = await app.openAnother({}, log);
    await other.fastify.listen({ port: 0, host: '127.0.0.1' });
    const { port } = other.fastify.server.address() as AddressInfo;
    expect((await get(devMailPaths.list, COOKIE, other)).statusCode).toBe(200);
    const answer = await send(port, fromNginx('/nothing'));
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(await send(port, fromNginx(devMailPaths.list))).toContain('came with HTTP/1.0');
    for (const url of paths) {
      const { statusCode, payload } = await get(url, COOKIE, other);
      expect([url, statusCode]).toEqual([url, 404]);
      expect(payload).toContain('>Kept mail is not shown until the next start: ');
    }
    await other.close();
    expect(lines.filter((line) => line.includes('Kept mail is not shown'))).toHaveLength(1);
    // Another start.
    expect((await get(devMailPaths.list)).statusCode).toBe(200);
  });
});

test.each<Partial<Config>>([
  { smtpUrl: 'smtp://127.0.0.1:9' },
  { host: '0.0.0.0' },
  { host: '192.0.2.7' },
  { host: '::' },
  { publicUrl: 'https://line.example.com' },
  { trustProxy: ['127.0.0.1'] },
])('with %j these paths answer 404', async (settings) => {
  const other = await app.openAnother(settings);
  for (const url of paths) {
    const answer = await get(url, COOKIE, other);
    expect([url, answer.statusCode]).toEqual([url, 404]);
    expect(answer.payload).toContain('Nobody');
  }
  await other.close();
});
