/** The security, cache and robots headers of every route and every kind of error. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InjectOptions } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { consolePaths, operatorPaths } from '../../contract/operator/paths.ts';
import {
  apiPaths,
  fillPath,
  imagePaths,
  mailPagePaths,
  PLAIN_QUERY,
  pagePaths,
} from '../../contract/paths.ts';
import { SECRET_KEY, tokenOf } from './mail-links.ts';
import { AS_OWNER, provideApp } from './provide-app.ts';
import { CONSOLE_SCRIPT_PATH, INLINE_STYLE, MEDIA_PATH, SCRIPT_PATH } from './test-site.ts';

const BUILT_PAGES = fileURLToPath(new URL('../../dist/pages', import.meta.url));

const app = provideApp('postgres', { secretKey: SECRET_KEY });
let member: { id: string; referral_code: string };
let links: Readonly<Record<'confirm' | 'preferences' | 'expired' | 'reward', string>>;
beforeAll(async () => {
  member = await app.join('ada@example.com');
  links = {
    confirm: tokenOf(member.id, 'confirm'),
    preferences: tokenOf(member.id, 'preferences'),
    reward: tokenOf(member.id, 'reward'),
    expired: tokenOf(member.id, 'preferences', { inDays: -1 }),
  };
});

const STYLE = createHash('sha256').update(INLINE_STYLE).digest('base64');
/** The headers of every answer. */
const STANDING = {
  'content-security-policy': expect.toSatisfy((policy: string) =>
    [
      /^default-src 'none';/,
      /;frame-ancestors 'none';base-uri 'none'(;frame-src 'self')?$/,
      /^(?!.*unsafe)/,
      new RegExp(`'sha256-${STYLE.replaceAll('+', '\\+')}'`),
    ].every((part) => part.test(policy)),
  ),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Without 'browsing-topics', of which Chromium from 109 to 120 warns in the console.
  'permissions-policy': expect.stringMatching(/^(?!.*browsing-topics).*camera=\(\)/),
  'strict-transport-security': 'max-age=63072000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const FOR_EVER = 'public, max-age=31536000, immutable';
const PERSONAL = 'private, no-cache';
const REVALIDATED = 'public, no-cache';
const NONE = 'no-store';

const page = (url: string, headers = {}): InjectOptions => ({
  url,
  headers: { accept: 'text/html', ...headers },
});
const form = (url: string, fields: Record<string, string> = {}, headers = {}): InjectOptions => ({
  method: 'POST',
  url,
  payload: new URLSearchParams(fields).toString(),
  headers: {
    accept: 'text/html',
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    ...headers,
  },
});
const call = (url: string, payload?: object): InjectOptions =>
  payload === undefined ? { url } : { method: 'POST', url, payload };
const asOwner = (url: string): InjectOptions => ({ url, headers: AS_OWNER });
/** A link that allows something else. */
const byWrongLink = (url: string) => call(url, { token: links.preferences, size: 'Small' });
type MemberPath = (typeof apiPaths)['status' | 'inviter' | 'sizes' | 'dropPlace' | 'offerOf'];
const ofMember = (path: MemberPath) => call(fillPath(path, member.id));
const invite = (code: string) => page(fillPath(pagePaths.invite, code));
const plainStatus = (id: string) => page(`${fillPath(pagePaths.status, id)}?${PLAIN_QUERY}`);

type Answers = readonly [
  status: number,
  cache: string,
  /** Whether search engines may have it, and a form in it says where its posts come from. */
  kind: '' | 'found' | 'form' | 'found form',
  requests: () => readonly InjectOptions[],
];

const { confirm, preferences, reward, offer, unsubscribe, leave, downloadData } = mailPagePaths;
const answers: readonly Answers[] = [
  [200, REVALIDATED, 'found form', () => [page('/'), page('/?ref=ABCDEFGHJK')]],
  [200, REVALIDATED, 'found', () => [page(pagePaths.draw), page(MEDIA_PATH)]],
  [
    200,
    PERSONAL,
    'form',
    () => [invite(member.referral_code), invite('nobody'), page('/invite/%E0')],
  ],
  [200, PERSONAL, '', () => [page(fillPath(pagePaths.status, member.id))]],
  [200, NONE, 'form', () => [plainStatus(member.id)]],
  [
    200,
    NONE,
    '',
    () => [
      page(fillPath(confirm, links.confirm)),
      page(fillPath(preferences, links.preferences)),
      page(fillPath(unsubscribe, links.preferences)),
      page(fillPath(leave, links.preferences)),
      form(fillPath(downloadData, links.preferences)),
      ...[apiPaths.status, apiPaths.inviter, apiPaths.sizes].map(ofMember),
      ...[apiPaths.dropPlace, apiPaths.offerOf].map(ofMember),
      call(apiPaths.drop),
      call(apiPaths.stats),
      call(fillPath(apiPaths.verifyReferral, member.referral_code)),
      page(fillPath(apiPaths.live, '00000000-0000-7000-8000-000000000000')),
      asOwner(operatorPaths.counts),
      asOwner(`${operatorPaths.exportMembers}?format=csv`),
      asOwner(operatorPaths.drop),
      asOwner(fillPath(operatorPaths.exportDrop, 'offers')),
      page(consolePaths.home),
      page(`${consolePaths.home}/`),
      page(`${consolePaths.home}/any/screen?q=a`),
    ],
  ],
  [
    404,
    NONE,
    '',
    () => [
      plainStatus('nobody'),
      page(fillPath(confirm, 'wrong')),
      page(fillPath(reward, links.reward, 1)),
      page(fillPath(offer, links.reward)),
      call(fillPath(apiPaths.status, 'nobody')),
      page(fillPath(apiPaths.live, 'nobody')),
      byWrongLink(fillPath(apiPaths.offerLink, 'x')),
      call(fillPath(apiPaths.draw, 1)),
      call(fillPath(apiPaths.given, 1)),
      page('/api/nothing'),
      page('/api/%E0'),
      asOwner(fillPath(operatorPaths.memberDrop, 'nobody')),
      asOwner(fillPath(operatorPaths.importOrders, 'nothing')),
      asOwner(fillPath(operatorPaths.exportOrders, 'nothing')),
    ],
  ],
  [
    404,
    'no-cache',
    '',
    () => [page('/nothing'), page(`${fillPath(pagePaths.status, member.id)}/film`)],
  ],
  [
    404,
    NONE,
    'found',
    () => [
      call('/nothing'),
      asOwner('/operator/api/nothing'),
      call(fillPath(imagePaths.passImage, member.id, 'tall')),
    ],
  ],
  [410, NONE, '', () => [page(fillPath(preferences, links.expired))]],
  [
    422,
    NONE,
    'form',
    () => [form('/', { email: 'nobody' }), form(fillPath(pagePaths.invite, 'ABC'))],
  ],
  [
    422,
    NONE,
    '',
    () => [form(fillPath(preferences, links.preferences), { mail: 'x' }), call(apiPaths.join, {})],
  ],
  [
    403,
    NONE,
    '',
    () => [
      form(fillPath(leave, links.preferences), {}, { 'sec-fetch-site': 'cross-site' }),
      ...[apiPaths.confirm, apiPaths.offer, apiPaths.acceptOffer].map(byWrongLink),
      ...[apiPaths.changeOffer, apiPaths.declineOffer].map(byWrongLink),
      ...[apiPaths.enterDrop, apiPaths.withdrawEntry].map(byWrongLink),
    ],
  ],
  [303, NONE, 'form', () => [form('/', { email: 'grace@example.com' })]],
  [415, NONE, 'found', () => [form('/', {}, { 'content-type': 'text/plain' })]],
  [201, NONE, '', () => [call(apiPaths.join, { email: 'edith@example.com' })]],
  [409, NONE, '', () => [call(apiPaths.join, { email: 'ada@example.com' })]],
  [
    405,
    NONE,
    '',
    () => [
      { method: 'PUT', url: apiPaths.stats },
      { method: 'PROPFIND' as 'GET', url: apiPaths.stats },
    ],
  ],
  [
    405,
    NONE,
    'found',
    () => [
      { method: 'DELETE', url: '/' },
      { method: 'POST', url: consolePaths.home },
    ],
  ],
  [401, NONE, '', () => [call(operatorPaths.counts)]],
  [401, NONE, 'found', () => [call('/metrics')]],
  [200, NONE, 'found', () => [asOwner('/metrics'), call('/healthz'), call('/readyz')]],
  [416, NONE, 'found', () => [page(MEDIA_PATH, { range: 'bytes=90-99' })]],
  [200, FOR_EVER, 'found', () => [page(SCRIPT_PATH)]],
  [200, FOR_EVER, 'found', () => [page(CONSOLE_SCRIPT_PATH)]],
  [200, 'no-cache', 'found', () => [page(pagePaths.calendar)]],
  [200, 'public, max-age=5', '', () => [call(apiPaths.faces)]],
  [200, 'public, max-age=300', '', () => [page('/api/docs'), page('/api/openapi.json')]],
  [200, 'private, no-store', '', () => [page(fillPath(imagePaths.memberImage, member.id, 'wide'))]],
];

test.each(answers)('the headers of %i, %s, %s are right', async (status, cache, kind, requests) => {
  for (const request of requests()) {
    const { statusCode, headers } = await app.fastify.inject(request);
    const isPage = String(headers['content-type']).startsWith('text/html');
    expect([request.url, statusCode]).toEqual([request.url, status]);
    expect(headers, String(request.url)).toMatchObject({
      ...STANDING,
      'referrer-policy': kind.includes('form') ? 'same-origin' : 'no-referrer',
      'cache-control': isPage ? `${cache}, no-transform` : cache,
    });
    expect([request.url, headers['x-robots-tag']]).toEqual([
      request.url,
      kind.includes('found') ? undefined : 'noindex',
    ]);
    for (const name of ['set-cookie', 'server', 'x-powered-by', 'access-control-allow-origin'])
      expect(headers[name]).toBeUndefined();
  }
});

const pictures = () => [
  fillPath(imagePaths.inviteCard, member.referral_code, 'older'),
  fillPath(imagePaths.ghost, member.referral_code, 'older'),
  fillPath(imagePaths.reward, member.referral_code, 'shirt', 'older'),
  fillPath(imagePaths.inviteQr, member.referral_code),
];

test('only the images of an invite can be embedded by other sites', async () => {
  for (const url of pictures()) {
    const { statusCode, headers } = await app.fastify.inject(url);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      ...STANDING,
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300',
      'x-robots-tag': 'noindex',
    });
  }
});

test('every route of the contract is covered', () => {
  const requests = answers.flatMap(([, , , asked]) => asked().map(({ url }) => String(url)));
  const urls = [...requests, ...pictures()].map((url) => new URL(url, 'http://a').pathname);
  const left = [apiPaths, pagePaths, mailPagePaths, imagePaths]
    .flatMap<string>(Object.values)
    .filter((pathname) => !urls.some((url) => new URLPattern({ pathname }).test(url, 'http://a')));
  expect(left).toEqual([apiPaths.tillNotices, apiPaths.mailEvents]);
});

test('no page answers the preflight of another origin', async () => {
  const headers = {
    origin: 'https://elsewhere.example',
    'access-control-request-method': 'POST',
  };
  for (const url of ['/', '/nothing', '/api/docs', apiPaths.join]) {
    const asked = await app.fastify.inject({ method: 'OPTIONS', url, headers });
    const names = Object.keys(asked.headers);
    expect(names.filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('the console has the policy of the site and its own frames', async () => {
  const policyOf = async (url: string) =>
    (await app.fastify.inject(page(url))).headers['content-security-policy'];
  expect(await policyOf(consolePaths.home)).toBe(`${await policyOf('/')};frame-src 'self'`);
});

test('the camera is allowed in the document of the door alone', async () => {
  const featuresOf = async (url: string) =>
    (await app.fastify.inject(page(url))).headers['permissions-policy'];
  expect(await featuresOf(consolePaths.door)).toMatch(/camera=\(self\), microphone=\(\)/);
  for (const url of [`${consolePaths.door}s`, `${consolePaths.door}/x`])
    expect(await featuresOf(url)).toMatch(/camera=\(\)/);
});

test('HSTS is sent by an HTTPS site only', async () => {
  const plain = await app.openAnother({ publicUrl: 'http://line.example.com' });
  const { headers } = await plain.fastify.inject('/');
  await plain.close();
  expect(headers['strict-transport-security']).toBeUndefined();
});

test('the built pages load scripts from their own origin only', () => {
  const texts = readdirSync(BUILT_PAGES).map((name) =>
    readFileSync(join(BUILT_PAGES, name), 'utf8'),
  );
  const sources = texts.flatMap((html) =>
    [...html.matchAll(/<script[^>]*\ssrc="([^"]*)"/g)].map((match) => match[1]),
  );
  expect(sources.length).toBeGreaterThan(2);
  for (const source of sources) expect(source).toMatch(/^(\/console)?\/assets\/[\w.-]+\.js$/);
});
