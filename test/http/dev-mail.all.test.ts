/** Reading kept mail in the browser: on this machine only, and safe for any content. */
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { devMailPaths, devMailWithKey } from '../../contract/dev-mail-paths.ts';
import { confirmingPath, fillPath } from '../../contract/paths.ts';
import type { App } from '../../server/app.ts';
import type { Config } from '../../server/config.ts';
import { keptMailKey } from '../../server/notifications/dev/access.ts';
import { captureLog } from '../support/captured-log.ts';
import { sampleNames } from '../support/sample-mails.ts';
import { SECRET_KEY } from './mail-links.ts';
import { provideApp } from './provide-app.ts';

const { list, samples, sampleGhost, sampleReward } = devMailPaths;
const publicUrl = 'http://127.0.0.1:3000';
/** Cookies of a browser that has opened the address with the key. */
const COOKIE = { cookie: `another=1; kept-mail=${keptMailKey(SECRET_KEY)}` };
const app = provideApp('postgres', { publicUrl, secretKey: SECRET_KEY });
const get = (url: string, headers: Record<string, string> = COOKIE, on: App = app) =>
  on.fastify.inject({ url, headers: { host: '127.0.0.1:3000', accept: 'text/html', ...headers } });
const read = async (url: string) => (await get(url)).payload;

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

const htmlOf = (name: string) => fillPath(devMailPaths.mailHtml, name);
const sourceOf = (name: string) => fillPath(devMailPaths.mailSource, name);
const pageOf = (name: string) => fillPath(devMailPaths.mail, name);

describe('the list', () => {
  test('shows the newest first, from all folders, escaped, or that there is nothing', async () => {
    rmSync(join(app.config.dataDir, 'mail'), { recursive: true, force: true });
    expect(await read(list)).toContain('Nothing yet');
    keep('member-0/older.eml', { subject: 'Older', minute: 1 });
    keep('member-1/job-1.eml', { subject: '<b>Newer</b>', minute: 2 });
    keep('member-1/.draft', { subject: 'A draft', minute: 3 });
    const payload = await read(list);
    expect(payload.indexOf('&lt;b&gt;Newer&lt;/b&gt;')).toBeLessThan(payload.indexOf('Older'));
    expect(payload.indexOf('&lt;b&gt;Newer')).toBeGreaterThan(0);
    expect(payload).toContain(`href="${fillPath(devMailPaths.mail, 'member-1/job-1.eml')}"`);
    expect(payload).toContain('ada@example.com');
    expect(payload).not.toContain('A draft');
  });

  test('shows 50 mails a page', async () => {
    for (let index = 0; index < 60; index += 1)
      keep(`paged-${index}/job.eml`, { subject: `Paged ${index}.`, minute: -5_000_000 - index });
    const [first, second] = [await read(list), await read(`${list}?page=2`)];
    const shown = (payload: string) =>
      Array.from(payload.matchAll(/Paged (\d+)\./g), ([, index]) => Number(index));
    expect([...shown(first), ...shown(second)]).toEqual(Array.from({ length: 60 }, (_, at) => at));
    expect(first.match(/<li>/g)).toHaveLength(50);
    expect(first).toContain(`href="${list}?page=2">Older`);
    expect(second).toContain(`href="${list}">Newer`);
    expect(second).not.toContain('>Older');
    for (const page of ['0', '-1', '1e3', ''])
      expect([page, (await get(`${list}?page=${page}`)).statusCode]).toEqual([page, 422]);
  });

  test('shows a mail as soon as the server has kept it', async () => {
    const { id } = await app.join('grace@example.com');
    await expect.poll(() => read(list), { timeout: 30_000 }).toContain('grace@');
    const mail = /href="([^"]+)">[^<]*<\/a><span class="quiet">grace@example\.com/;
    const link = mail.exec(await read(list))?.[1] ?? '';
    expect(await read(link)).toContain(`${publicUrl}/thank-you/${id}`);
    expect(await read(`${link}/html`)).toContain(`${publicUrl}${confirmingPath(id, '')}`);
  });
});

describe('a kept mail', () => {
  test('is shown as HTML that cannot run or load anything; its links open a tab', async () => {
    keep('m/evil.eml', {
      subject: 'Evil',
      html: '<html><head><title>x</title></head><script>alert(1)</script></html>',
    });
    const mail = await get(htmlOf('m/evil.eml'));
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
    const page = await get(pageOf('m/evil.eml'));
    expect(page.payload).toContain(`sandbox="allow-popups allow-popups-to-escape-sandbox"`);
    expect(page.payload).toContain(`src="${htmlOf('m/evil.eml')}"`);
    expect(page.payload).not.toContain('<script');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; frame-src 'self';/);
    expect(policy).not.toContain('unsafe');
  });

  test('is available as its plain-text source', async () => {
    const source = keep('m/source.eml', { subject: 'Source' });
    const { payload, headers } = await get(sourceOf('m/source.eml'));
    expect(payload).toBe(source);
    expect(headers).toMatchObject({
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
    for (const path of [pageOf(name), htmlOf(name), sourceOf(name)]) {
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
    expect(await read(list)).not.toContain('a secret');
    for (const name of ['m/link.eml', 'link/secret.eml'])
      expect((await get(sourceOf(name))).statusCode).toBe(404);
  });
});

describe('the samples', () => {
  test('show every mail, as HTML and as text', async () => {
    const payload = await read(samples);
    for (const name of sampleNames) {
      const url = fillPath(devMailPaths.sampleHtml, name);
      expect(payload).toContain(`src="${url}"`);
      expect(await read(url)).toContain(publicUrl + (name === 'tier' ? sampleReward : sampleGhost));
    }
    expect(payload.match(/<pre/g)).toHaveLength(sampleNames.length);
    expect((await get(fillPath(devMailPaths.sampleHtml, 'other'))).statusCode).toBe(404);
  });

  test.each([sampleGhost, sampleReward])('show %s, which the sandbox may load', async (path) => {
    const image = await get(path);
    expect(image.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(image.headers['cross-origin-resource-policy']).toBe('cross-origin');
  });
});

const keptPaths = [list, pageOf('member-0/older.eml'), sourceOf('member-0/older.eml')];
const paths = [...keptPaths, samples, fillPath(devMailPaths.sampleHtml, 'welcome'), sampleGhost];

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

describe('the key', () => {
  test('is in the address that the server prints, which sets a cookie', async () => {
    const address = new URL(app.keptMailAddress ?? '');
    expect(address.origin).toBe(publicUrl);
    const first = await get(address.pathname + address.search, {});
    expect([first.statusCode, first.headers.location]).toEqual([303, list]);
    const [cookie = '', ...attributes] = String(first.headers['set-cookie']).split('; ');
    expect(attributes).toEqual(['Path=/dev/mail', 'HttpOnly', 'SameSite=Strict']);
    expect((await get(list, { cookie })).statusCode).toBe(200);
  });

  test('is needed for every page with kept mail', async () => {
    for (const url of [...keptPaths, devMailWithKey('guessed'), devMailWithKey('')])
      for (const cookie of ['', 'kept-mail=', 'kept-mail=guessed']) {
        const answer = await get(url, { cookie });
        expect([url, answer.statusCode]).toEqual([url, 404]);
        expect(answer.payload).toContain('>Kept mail needs its key: open the address that ');
      }
    const { statusCode, json } = await get(list, { accept: '*/*' });
    const words = expect.stringMatching(/^Kept mail needs its key: open the address that /);
    expect([statusCode, json().detail]).toEqual([404, words]);
  });
});

test('a request that a proxy may have sent closes all until the next start', async () => {
  /** What nginx 1.22 sends with nothing but `proxy_pass`, of a browser that asked for a page. */
  const send = async (port: number, path: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    socket.write(
      `GET ${path} HTTP/1.0\r\nHost: 127.0.0.1:3000\r\nConnection: close\r\n` +
        'User-Agent: Mozilla/5.0\r\nAccept: text/html\r\nSec-Fetch-Site: none\r\n' +
        `Sec-Fetch-Mode: navigate\r\nCookie: ${COOKIE.cookie}\r\n\r\n`,
    );
    return (await socket.toArray()).join('');
  };
  const log = captureLog('warn');
  const other = await app.openAnother({}, log.logger);
  await other.fastify.listen({ port: 0, host: '127.0.0.1' });
  const { port } = other.fastify.server.address() as AddressInfo;
  expect((await get(list, COOKIE, other)).statusCode).toBe(200);
  expect(await send(port, '/nothing')).toMatch(/^HTTP\/1\.1 404 /);
  expect(await send(port, list)).toContain('came with HTTP/1.0');
  for (const url of paths) {
    const { statusCode, payload } = await get(url, COOKIE, other);
    expect([url, statusCode]).toEqual([url, 404]);
    expect(payload).toContain('>Kept mail is not shown until the next start: ');
  }
  await other.close();
  expect(log.text().split('Kept mail is not shown')).toHaveLength(2);
  // Another start.
  expect((await get(list)).statusCode).toBe(200);
});

test.each<Partial<Config>>([
  { smtpUrl: 'smtp://127.0.0.1:9' },
  { host: '0.0.0.0' },
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
