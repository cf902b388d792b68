/** The requests of a load, as text that goes onto the connection as it is. */
import { apiPaths, IDEMPOTENCY_KEY_HEADER } from '../../contract/paths.ts';
import { SOURCE_HEADER } from '../../contract/sources.ts';
import type { Sample } from '../members/read-sample.ts';

export type RequestKind =
  | 'constant'
  | 'select'
  | 'insert'
  | 'insert-many'
  | 'status'
  | 'join'
  | 'hot-join'
  | 'visitor-join'
  | 'join-with-source'
  | 'stats'
  | 'verify-referral';

/** `expected` is part of the right answer, and of no other. */
export type Request = { readonly text: string; readonly expected: string };

type RequestOptions = {
  readonly kind: RequestKind;
  readonly sample: Sample;
  /** Part of every address and key: different for every run against a database. */
  readonly tag: string;
  /** Rows an INSERT of kind `insert-many`. */
  readonly rows: number;
};

/**
 * The function makes the next request. Every other join is invited, every hot one is. Those of
 * visitors come through a proxy, from an address and a browser of their own.
 */
export function openRequests({ kind, sample, tag, rows }: RequestOptions): () => Request {
  let number = 0;
  const get = (path: string, expected: string): Request => ({ text: getText(path), expected });
  const byId = (pathOf: (id: string) => string) => {
    const id = pick(sample.ids);
    return get(pathOf(id), `"id":"${id}"`);
  };
  const join = (
    code: string | null,
    headers = '',
    email = `bench${number}.${tag}@mail.example`,
  ): Request => {
    const text = joinText({ email, code, key: `${tag}-${number}`, headers });
    return { text, expected: `"email":"${email}"` };
  };
  const insert = (): Request => {
    const email = `baseline${number}.${tag}@mail.example`;
    return {
      text: postText('/insert', JSON.stringify({ email })),
      expected: `"email":"${email}"`,
    };
  };
  const mixedCode = () => (number % 2 === 0 ? pick(sample.inviterCodes) : null);
  const make: Record<RequestKind, () => Request> = {
    constant: () => get('/constant', '"answer":"'),
    select: () => byId((id) => `/select/${id}`),
    insert,
    'insert-many': () => get(`/insert-many/${rows}`, `"inserted":${rows}`),
    status: () => byId(apiPaths.status),
    join: () => join(mixedCode()),
    'join-with-source': () => join(mixedCode(), sourceHeader(number)),
    'hot-join': () => join(sample.inviterCodes[0] ?? ''),
    'visitor-join': () => join(mixedCode(), visitorHeaders(number), visitorEmail(number, tag)),
    stats: () => get(apiPaths.stats(), '"total_signups":'),
    'verify-referral': () => get(apiPaths.verifyReferral(pick(sample.codes)), '"valid":true'),
  };
  return () => {
    number += 1;
    return make[kind]();
  };
}

export function getText(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nhost: bench\r\n${headers}\r\n`;
}

type Join = {
  readonly email: string;
  readonly code: string | null;
  readonly key: string;
  readonly headers?: string;
};

/** A join as the site's form sends it. */
export function joinText({ email, code, key, headers = '' }: Join): string {
  const body = JSON.stringify({ email, referred_by: code });
  return postText(apiPaths.join(), body, `${IDEMPOTENCY_KEY_HEADER}: ${key}\r\n${headers}`);
}

function visitorHeaders(number: number): string {
  const ip = `${60 + (number % 32)}.${(number >> 5) & 255}.${(number >> 13) & 255}.${number % 7}`;
  const browser = `Mozilla/5.0 (X11; Linux x86_64) Chrome/${120 + (number % 25)}.0.0.0`;
  return `x-forwarded-for: ${ip}\r\nuser-agent: ${browser}\r\naccept-language: en\r\n`;
}

/** One of 20 campaigns, as the site tells where its visitor comes from. */
function sourceHeader(number: number): string {
  const query = `utm_source=news&utm_medium=email&utm_campaign=launch-${number % 20}`;
  return `${SOURCE_HEADER}: ${query}&referring_host=mail.example\r\n`;
}

/** Like a real person's: numbers or a rare domain would make every join doubtful. */
function visitorEmail(number: number, tag: string): string {
  return `${inSyllables(number.toString(36))}.${inSyllables(tag)}@gmail.com`;
}

/** Two letters for each digit of base 36. */
function inSyllables(signs: string): string {
  return signs.replace(/\w/g, (sign) => {
    const value = Number.parseInt(sign, 36);
    return 'bdfgklmnprst'.charAt(value % 12) + 'aeo'.charAt(Math.floor(value / 12));
  });
}

/** A POST of JSON, with headers of its own. */
export function postText(path: string, body: string, headers = ''): string {
  const type = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  return `POST ${path} HTTP/1.1\r\nhost: bench\r\n${headers}${type}\r\n${body}`;
}

/** A random one; an empty string from an empty list. */
export function pick(list: readonly string[]): string {
  return list[Math.floor(Math.random() * list.length)] ?? '';
}
