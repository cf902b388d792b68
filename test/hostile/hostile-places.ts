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
  /** For pages: a harmless text to compare with. */
  readonly page?: string;
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
  const fill = (pattern: string, text: string) => pattern.replace(/:\w+/, () => asSegment(text));
  const segment = (pattern: string): Place => ({
    name: `GET ${pattern}`,
    request: (text) => visit(fill(pattern, text)),
  });
  const form = (
    name: string,
    url: (text: string) => string,
    fields: (text: string) => Record<string, string>,
  ): Place => ({
    name,
    page: 'nobody',
    request: (text) => postForm(url(text), fields(text)),
  });
  const page = (name: string, pathOf: (text: string) => string): Place => ({
    name,
    page: 'nobody',
    request: (text) => visit(pathOf(asSegment(text))),
  });
  const header = (name: string, url?: string): Place => ({
    name: `header ${name}`,
    request: (text) => send(name, text, url),
  });
  return [
    form(
      'form email',
      () => '/',
      (text) => ({ email: `${text}@` }),
    ),
    form(
      'form code',
      () => '/',
      (text) => ({ email: '', referred_by: text }),
    ),
    form(
      'form of an invite',
      (text) => `/invite/${asSegment(text || '-')}`,
      (text) => ({ email: '', [text]: text }),
    ),
    page('ref', (text) => `/?ref=${text}`),
    page('query', (text) => `/?${text}=${text}`),
    page('unknown path', (text) => `/nothing/${text}`),
    { ...segment(pagePaths.invite), page: 'nobody' },
    page('invite without script', (text) => `/invite/${text || '-'}?${PLAIN_QUERY}=${text}`),
    { ...segment(pagePaths.status), page: 'nobody' },
    segment(imagePaths.inviteCard.replace(':version', 'v')),
    segment(imagePaths.inviteCard.replace(':code', code)),
    segment(imagePaths.inviteQr),
    segment(imagePaths.memberImage.replace(':format', 'wide')),
    segment(imagePaths.memberImage.replace(':memberId', '6b1f8a52-5a0e-4c0f-9d6c-0f6d2f1f7a01')),
    ...[
      mailPagePaths.confirm,
      mailPagePaths.preferences,
      mailPagePaths.unsubscribe,
      mailPagePaths.leave,
    ].flatMap((pattern): Place[] => [
      { ...segment(pattern), page: 'nobody' },
      {
        name: `POST ${pattern}`,
        request: (text) => postForm(fill(pattern, text), { mail: text, 'List-Unsubscribe': text }),
      },
    ]),
    form(
      'mail wish',
      () => `/preferences/${token}`,
      (text) => ({ mail: text }),
    ),
    {
      name: 'operator export',
      request: (text) => ({
        url: `${operatorPaths.exportMembers}?format=${asSegment(text)}`,
        headers: AS_OWNER,
      }),
    },
    {
      name: 'operator log',
      request: (text) => ({
        url: `${operatorPaths.changes}?subject_kind=size&subject_id=${asSegment(text)}`,
        headers: AS_OWNER,
      }),
    },
    {
      name: 'operator token',
      request: (text) => ({
        url: operatorPaths.counts,
        headers: { authorization: `Bearer ${asHeader(text)}` },
      }),
    },
    ...[
      devMailPaths.mail,
      devMailPaths.mailHtml,
      devMailPaths.mailSource,
      devMailPaths.sampleHtml,
    ].map((pattern) => ({ ...segment(pattern), page: 'nobody' })),
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
