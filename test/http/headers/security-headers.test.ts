/** The security, cache and robots headers of every route and every kind of error. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import {
  apiPaths,
  fillPath,
  imagePaths,
  mailPagePaths,
  PLAIN_QUERY,
  pagePaths,
} from '../../../contract/paths.ts';
import { SECRET_KEY, tokenOf } from '../mail-links.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from '../test-app.ts';
import { MEDIA_PATH, SCRIPT_PATH } from '../test-site.ts';
import { DROP_FILE, form, get, NO_MEMBER_DROP, NO_ORDERS, post } from './header-requests.ts';
import { observatoryScore } from './observatory-score.ts';

const BUILT_PAGES = fileURLToPath(new URL('../../../dist/pages', import.meta.url));

let app: TestApp;
let member: { id: string; referral_code: string };
let links: Record<'confirm' | 'preferences' | 'expired' | 'reward', string>;
beforeAll(async () => {
  app = await openTestApp('postgres', { secretKey: SECRET_KEY });
  member = await app.join('ada@example.com');
  links = {
    confirm: tokenOf(member.id, 'confirm'),
    preferences: tokenOf(member.id, 'preferences'),
    reward: tokenOf(member.id, 'reward'),
    expired: tokenOf(member.id, 'preferences', { inDays: -1 }),
  };
});
afterAll(() => app.remove());

const { confirm, preferences, reward, offer, unsubscribe, leave, downloadData } = mailPagePaths;
const plainStatus = (memberId: string) => `${fillPath(pagePaths.status, memberId)}?${PLAIN_QUERY}`;
const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
/** The headers of every answer. */
const STANDING = {
  'content-security-policy': expect.stringMatching(
    /^default-src 'none';.*frame-ancestors 'none';base-uri 'none'$/,
  ),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Without 'browsing-topics', of which Chromium from 109 to 120 warns in the console.
  'permissions-policy': expect.stringMatching(/^(?!.*browsing-topics).*camera=\(\)/),
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const FOR_EVER = 'public, max-age=31536000, immutable';
const PERSONAL = 'private, no-cache';
const REVALIDATED = 'public, no-cache';
const MINUTES = 'public, max-age=300';
const NONE = 'no-store';
const UNSTORED = 'private, no-store';
type ImagePath = (typeof imagePaths)['memberImage' | 'passImage'];
const imageOf = (path: ImagePath, format: string) => get(fillPath(path, member.id, format));
type Row = [
  name: string,
  request: () => InjectOptions,
  status: number,
  cache: string | undefined,
  isFound: boolean,
];
const rows: Row[] = [
  ['the landing page', () => get('/'), 200, REVALIDATED, true],
  ['the landing page of a referral', () => get('/?ref=ABCDEFGHJK'), 200, REVALIDATED, true],
  ['an invite', () => get(fillPath(pagePaths.invite, member.referral_code)), 200, PERSONAL, false],
  ['an invite of nobody', () => get(fillPath(pagePaths.invite, 'nobody')), 200, PERSONAL, false],
  ['a status page', () => get(fillPath(pagePaths.status, member.id)), 200, PERSONAL, false],
  ['a status page without script', () => get(plainStatus(member.id)), 200, NONE, false],
  ['a status page without script of nobody', () => get(plainStatus('nobody')), 404, NONE, false],
  ['the page of the draw', () => get(pagePaths.draw), 200, REVALIDATED, true],
  ['confirming', () => get(fillPath(confirm, links.confirm)), 200, NONE, false],
  ['confirming by a wrong link', () => get(fillPath(confirm, 'wrong')), 404, NONE, false],
  ['preferences', () => get(fillPath(preferences, links.preferences)), 200, NONE, false],
  ['expired preferences', () => get(fillPath(preferences, links.expired)), 410, NONE, false],
  ['a reward not asked about', () => get(fillPath(reward, links.reward, 1)), 404, NONE, false],
  ['answering without an offer', () => get(fillPath(offer, links.reward)), 404, NONE, false],
  ['unsubscribing', () => get(fillPath(unsubscribe, links.preferences)), 200, NONE, false],
  ['leaving', () => get(fillPath(leave, links.preferences)), 200, NONE, false],
  ["a member's data", () => form(fillPath(downloadData, links.preferences)), 200, NONE, false],
  [
    'an invalid choice',
    () => form(fillPath(preferences, links.preferences), { mail: 'x' }),
    422,
    NONE,
    false,
  ],
  [
    'a form from another site',
    () => form(fillPath(leave, links.preferences), {}, { 'sec-fetch-site': 'cross-site' }),
    403,
    NONE,
    false,
  ],
  ['a join by a form', () => form('/', { email: 'grace@example.com' }), 303, NONE, false],
  ['a refused form', () => form('/', { email: 'nobody' }), 422, NONE, false],
  [
    'a form with another content type',
    () => form('/', {}, { 'content-type': 'text/plain' }),
    415,
    NONE,
    true,
  ],
  ['a join', () => post(apiPaths.join, { email: 'edith@example.com' }), 201, NONE, false],
  [
    'a join with a registered address',
    () => post(apiPaths.join, { email: 'ada@example.com' }),
    409,
    NONE,
    false,
  ],
  ['a refused join', () => post(apiPaths.join, {}), 422, NONE, false],
  ['a status', () => get(fillPath(apiPaths.status, member.id), {}), 200, NONE, false],
  ['a status of nobody', () => get(fillPath(apiPaths.status, 'nobody'), {}), 404, NONE, false],
  ['a live status of nobody', () => get(fillPath(apiPaths.live, 'nobody')), 404, NONE, false],
  ['a live status that ends', () => get(fillPath(apiPaths.live, UNKNOWN_ID)), 200, NONE, false],
  ['an inviter', () => get(fillPath(apiPaths.inviter, member.id), {}), 200, NONE, false],
  ['the sizes of a member', () => get(fillPath(apiPaths.sizes, member.id), {}), 200, NONE, false],
  ['the drop', () => get(apiPaths.drop, {}), 200, NONE, false],
  ['the calendar of the drop', () => get(pagePaths.calendar), 200, 'no-cache', true],
  ['a place in the drop', () => get(fillPath(apiPaths.dropPlace, member.id), {}), 200, NONE, false],
  ['the offer of a member', () => get(fillPath(apiPaths.offerOf, member.id), {}), 200, NONE, false],
  ['a link to no offer', () => byWrongLink(fillPath(apiPaths.offerLink, 'x')), 404, NONE, false],
  ['confirming wrongly', () => byWrongLink(apiPaths.confirm), 403, NONE, false],
  ['an offer by a wrong link', () => byWrongLink(apiPaths.offer), 403, NONE, false],
  ['accepting by a wrong link', () => byWrongLink(apiPaths.acceptOffer), 403, NONE, false],
  ['changing by a wrong link', () => byWrongLink(apiPaths.changeOffer), 403, NONE, false],
  ['declining by a wrong link', () => byWrongLink(apiPaths.declineOffer), 403, NONE, false],
  ['entering by a wrong link', () => byWrongLink(apiPaths.enterDrop), 403, NONE, false],
  ['leaving a draw by a wrong link', () => byWrongLink(apiPaths.withdrawEntry), 403, NONE, false],
  ['a draw before the line is frozen', () => get(fillPath(apiPaths.draw, 1), {}), 404, NONE, false],
  ['masks before they are announced', () => get(fillPath(apiPaths.given, 1), {}), 404, NONE, false],
  ['the stats', () => get(apiPaths.stats, {}), 200, NONE, false],
  ['the faces of the first', () => get(apiPaths.faces, {}), 200, 'public, max-age=5', false],
  [
    'a verification',
    () => get(fillPath(apiPaths.verifyReferral, member.referral_code), {}),
    200,
    NONE,
    false,
  ],
  ['an unsupported method', () => ({ method: 'PUT', url: apiPaths.stats }), 405, NONE, false],
  ['a method of a page that is not there', () => ({ method: 'DELETE', url: '/' }), 405, NONE, true],
  ['no method', () => ({ method: 'PROPFIND' as 'GET', url: apiPaths.stats }), 405, NONE, false],
  ['a path of the API that is not there', () => get('/api/nothing'), 404, NONE, false],
  ['a path of the API that cannot be read', () => get('/api/%E0'), 404, NONE, false],
  ['the API described', () => get('/api/docs'), 200, MINUTES, false],
  ['the API described for machines', () => get('/api/openapi.json'), 200, MINUTES, false],
  ['a path that is not there', () => get('/nothing'), 404, 'no-cache', false],
  [
    'a path below a status page',
    () => get(`${fillPath(pagePaths.status, member.id)}/film`),
    404,
    'no-cache',
    false,
  ],
  ['an invite that cannot be read', () => get('/invite/%E0'), 200, PERSONAL, false],
  ['a path that is not there, called', () => get('/nothing', {}), 404, NONE, true],
  ['the operator without a token', () => get(operatorPaths.counts, {}), 401, NONE, false],
  ['the operator', () => get(operatorPaths.counts, operator), 200, NONE, false],
  ['an export', () => get(`${operatorPaths.exportMembers}?format=csv`, operator), 200, NONE, false],
  ['the drop, for operators', () => get(operatorPaths.drop, operator), 200, NONE, false],
  ['the drop for nobody', () => get(NO_MEMBER_DROP, operator), 404, NONE, false],
  ['a file of the drop', () => get(DROP_FILE, operator), 200, NONE, false],
  ['orders of no file', () => get(NO_ORDERS, operator), 404, NONE, false],
  ['orders of no file as CSV', () => get(`${NO_ORDERS}/export`, operator), 404, NONE, false],
  ['an unknown operator path', () => get('/operator/api/nothing', operator), 404, NONE, true],
  ['the metrics without a token', () => get('/metrics', {}), 401, NONE, true],
  ['the metrics', () => get('/metrics', operator), 200, NONE, true],
  ['the pulse', () => get('/healthz', {}), 200, NONE, true],
  ['readiness', () => get('/readyz', {}), 200, NONE, true],
  ['a script', () => get(SCRIPT_PATH), 200, FOR_EVER, true],
  ['a film', () => get(MEDIA_PATH), 200, REVALIDATED, true],
  [
    'a range beyond the end of a video',
    () => get(MEDIA_PATH, { range: 'bytes=90-99' }),
    416,
    NONE,
    true,
  ],
  ["a member's image", () => imageOf(imagePaths.memberImage, 'wide'), 200, UNSTORED, false],
  ['the picture of no pass', () => imageOf(imagePaths.passImage, 'tall'), 404, NONE, true],
];

/** Pages with a form, whose posts must say where they come from. */
const FORMS = [
  'the landing page',
  'the landing page of a referral',
  'an invite',
  'an invite of nobody',
  'an invite that cannot be read',
  'a join by a form',
  'a refused form',
  'a status page without script',
];

describe('security, cache and robots headers are right', () => {
  test.each(rows)('%s', async (name, request, status, cache, isFound) => {
    const { statusCode, headers } = await app.fastify.inject(request());
    expect(statusCode).toBe(status);
    expect(headers).toMatchObject({
      ...STANDING,
      'referrer-policy': FORMS.includes(name) ? 'same-origin' : 'no-referrer',
    });
    const isPage = String(headers['content-type']).startsWith('text/html');
    expect(headers['cache-control']).toBe(isPage ? `${cache}, no-transform` : cache);
    expect(headers['x-robots-tag']).toBe(isFound ? undefined : 'noindex');
    expect(headers['set-cookie']).toBeUndefined();
    for (const told of ['server', 'x-powered-by']) expect(headers[told]).toBeUndefined();
  });

  test('only the images of an invite can be embedded by other sites', async () => {
    for (const url of [
      fillPath(imagePaths.inviteCard, member.referral_code, 'older'),
      fillPath(imagePaths.ghost, member.referral_code, 'older'),
      fillPath(imagePaths.reward, member.referral_code, 'shirt', 'older'),
      fillPath(imagePaths.inviteQr, member.referral_code),
    ]) {
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
    const urls = rows.map(([, request]) => new URL(String(request().url), 'http://a').pathname);
    const { inviteCard, ghost, reward, inviteQr } = imagePaths;
    const pictures = [inviteCard, ghost, reward, inviteQr];
    const notices = [apiPaths.mailEvents, apiPaths.tillNotices];
    const elsewhere: readonly string[] = [...pictures, ...notices];
    const groups = [apiPaths, pagePaths, mailPagePaths, imagePaths];
    const left = groups
      .flatMap<string>(Object.values)
      .filter(
        (pathname) =>
          !elsewhere.includes(pathname) &&
          !urls.some((url) => new URLPattern({ pathname }).test(url, 'http://a')),
      );
    expect(left).toEqual([]);
  });
});

describe("Mozilla's Observatory gives 130 points, 30 of them extra credit", () => {
  test.each([
    ['the landing page', () => '/'],
    ['an invite', () => fillPath(pagePaths.invite, member.referral_code)],
    ['a status page', () => fillPath(pagePaths.status, member.id)],
    ['a path that is not there', () => '/nothing'],
    ['a status page without script', () => plainStatus(member.id)],
    ['the API described', () => '/api/docs'],
    ['confirming', () => fillPath(confirm, links.confirm)],
    ['preferences', () => fillPath(preferences, links.preferences)],
  ])('to %s', async (_name, url) => {
    expect(observatoryScore(await app.fastify.inject(get(url())))).toBe(130);
    // A CORS preflight from another origin.
    const headers = {
      origin: 'https://observatory.example',
      'access-control-request-method': 'GET',
    };
    const asked = await app.fastify.inject({ method: 'OPTIONS', url: url(), headers });
    expect(Object.keys(asked.headers).filter((name) => name.startsWith('access-control'))).toEqual(
      [],
    );
  });

  test('a missing header lowers the score', async () => {
    const { headers, payload } = await app.fastify.inject('/');
    const without = (name: string) =>
      observatoryScore({ headers: { ...headers, [name]: undefined }, payload });
    expect(without('content-security-policy')).toBe(75);
    expect(without('strict-transport-security')).toBe(80);
    expect(without('referrer-policy')).toBe(125);
    expect(without('cross-origin-resource-policy')).toBe(120);
    expect(without('x-content-type-options')).toBe(125);
    const withScript = `${payload}<script src="https://cdn.example/a.js"></script>`;
    expect(observatoryScore({ headers, payload: withScript })).toBe(125);
  });

  test('the built pages load scripts from their own origin only', () => {
    const pages = readdirSync(BUILT_PAGES);
    const texts = pages.map((name) => readFileSync(join(BUILT_PAGES, name), 'utf8'));
    const sources = texts.flatMap((html) =>
      [...html.matchAll(/<script[^>]*\ssrc="([^"]*)"/g)].map((match) => match[1]),
    );
    expect(sources.length).toBeGreaterThan(2);
    for (const source of sources) expect(source).toMatch(/^(\/console)?\/assets\/[\w.-]+\.js$/);
  });
});

/** A link that allows something else. */
function byWrongLink(url: string): InjectOptions {
  return post(url, { token: links.preferences, size: 'Small' });
}
