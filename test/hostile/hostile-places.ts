/**
 * Parts of requests that a visitor, mail program or operator controls. Joins, reports and changes
 * are sent as the API describes them (api-description.all.test.ts).
 */
import { createHmac } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { devMailPaths } from '../../contract/dev-mail-paths.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import {
  apiPaths,
  imagePaths,
  mailPagePaths,
  PLAIN_QUERY,
  pagePaths,
} from '../../contract/paths.ts';
import { AS_OWNER } from '../http/provide-app.ts';
import { asHeader, asSegment } from './hostile-strings.ts';

export type Place = {
  readonly name: string;
  request(text: string): InjectOptions;
};

const WEBHOOK_KEY = Buffer.from('hostile hostile hostile hostile ');
export const WEBHOOK_SECRET = `whsec_${WEBHOOK_KEY.toString('base64')}`;

/** A report signed by the provider. */
export function signedReport(payload: string): InjectOptions {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', WEBHOOK_KEY)
    .update(`msg.${timestamp}.${payload}`)
    .digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'msg',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  return { method: 'POST', url: apiPaths.mailEvents, headers, payload };
}

function postForm(url: string, fields: Readonly<Record<string, string>>): InjectOptions {
  const payload = new URLSearchParams(fields).toString();
  return {
    method: 'POST',
    url,
    payload,
    headers: {
      ...BROWSING,
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
  };
}

const BROWSING = { accept: 'text/html' };
const visit = (url: string): InjectOptions => ({ method: 'GET', url, headers: BROWSING });
const send = (name: string, text: string, url = '/'): InjectOptions => ({
  method: 'GET',
  url,
  headers: { ...BROWSING, [name]: asHeader(text) },
});

/** `token` is that of a member's own link, and `code` a member's. */
export function hostilePlaces({ token, code }: { token: string; code: string }): readonly Place[] {
  const harmless: Readonly<Record<string, string>> = { code, token, format: 'wide', level: '1' };
  /** Each parameter of a path in turn is the text. */
  const withText = (pattern: string) =>
    (pattern.match(/:\w+/g) ?? []).map((hostile) => ({
      name: `${hostile} of ${pattern}`,
      fill: (text: string) =>
        pattern.replaceAll(/:(\w+)/g, (parameter, name) =>
          asSegment(parameter === hostile ? text : (harmless[name] ?? 'x')),
        ),
    }));
  const opened = [pagePaths, imagePaths, mailPagePaths, devMailPaths]
    .flatMap<string>(Object.values)
    .flatMap(withText)
    .map(({ name, fill }): Place => ({ name, request: (text) => visit(fill(text)) }));
  const posted = Object.values(mailPagePaths)
    .flatMap(withText)
    .map(({ name, fill }): Place => {
      const request = (text: string) =>
        postForm(fill(text), { mail: text, 'List-Unsubscribe': text });
      return { name: `POST with ${name}`, request };
    });
  const place = (name: string, request: Place['request']): Place => ({ name, request });
  const page = (name: string, pathOf: (text: string) => string) =>
    place(name, (text) => visit(pathOf(asSegment(text))));
  const asOwner = (name: string, pathOf: (text: string) => string) =>
    place(name, (text) => ({ url: pathOf(asSegment(text)), headers: AS_OWNER }));
  const header = (name: string, url?: string) =>
    place(`header ${name}`, (text) => send(name, text, url));
  return [
    ...opened,
    ...posted,
    place('form email', (text) => postForm('/', { email: `${text}@` })),
    place('form code', (text) => postForm('/', { email: '', referred_by: text })),
    place('form of an invite', (text) =>
      postForm(`/invite/${asSegment(text || '-')}`, { email: '', [text]: text }),
    ),
    place('mail wish', (text) => postForm(`/preferences/${token}`, { mail: text })),
    page('ref', (text) => `/?ref=${text}`),
    page('query', (text) => `/?${text}=${text}`),
    page('unknown path', (text) => `/nothing/${text}`),
    page('invite without script', (text) => `/invite/${text || '-'}?${PLAIN_QUERY}=${text}`),
    asOwner('operator export', (text) => `${operatorPaths.exportMembers}?format=${text}`),
    asOwner('operator log', (text) => {
      return `${operatorPaths.changes}?subject_kind=size&subject_id=${text}`;
    }),
    place('operator token', (text) => ({
      url: operatorPaths.counts,
      headers: { authorization: `Bearer ${asHeader(text)}` },
    })),
    ...[
      'accept',
      'accept-encoding',
      'accept-language',
      'if-none-match',
      'origin',
      'user-agent',
      'x-forwarded-for',
    ].map((name) => header(name)),
    ...['range', 'if-range', 'if-modified-since'].map((name) => header(name, '/teaser.mp4')),
  ];
}
