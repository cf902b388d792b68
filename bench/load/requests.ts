import { apiPaths, fillPath, IDEMPOTENCY_KEY_HEADER } from '../../contract/paths.ts';
import type { Sample } from '../members/read-sample.ts';

export type RequestKind =
  | 'constant'
  | 'select'
  | 'insert'
  | 'status'
  | 'join'
  | 'hot-join'
  | 'stats'
  | 'verify-referral';

/** `expected` is part of the right answer, and of no other answer. */
export type Request = { readonly text: string; readonly expected: string };

type RequestOptions = {
  readonly kind: RequestKind;
  readonly sample: Sample;
  readonly tag: string;
};

export function openRequests({ kind, sample, tag }: RequestOptions): () => Request {
  let number = 0;
  const get = (path: string, expected: string): Request => ({
    text: `GET ${path} HTTP/1.1\r\nhost: bench\r\n\r\n`,
    expected,
  });
  const byId = (pattern: '/select/:id' | typeof apiPaths.status) => {
    const id = pick(sample.ids);
    return get(fillPath(pattern, id), `"id":"${id}"`);
  };
  const join = (code: string | null): Request => {
    const email = `bench${number}.${tag}@mail.example`;
    const text = joinText({ email, code, key: `${tag}-${number}` });
    return { text, expected: `"email":"${email}"` };
  };
  const mixedCode = () => (number % 2 === 0 ? pick(sample.inviterCodes) : null);
  const insert = (): Request => {
    const email = `baseline${number}.${tag}@mail.example`;
    const text = postText('/insert', JSON.stringify({ email }));
    return { text, expected: `"email":"${email}"` };
  };
  const make: Record<RequestKind, () => Request> = {
    constant: () => get('/constant', '"answer":"'),
    select: () => byId('/select/:id'),
    insert,
    status: () => byId(apiPaths.status),
    join: () => join(mixedCode()),
    'hot-join': () => join(sample.inviterCodes[0] ?? ''),
    stats: () => get(apiPaths.stats, '"total_signups":'),
    'verify-referral': () =>
      get(fillPath(apiPaths.verifyReferral, pick(sample.codes)), '"valid":true'),
  };
  return () => {
    number += 1;
    return make[kind]();
  };
}

type Join = {
  readonly email: string;
  readonly code: string | null;
  readonly key: string;
};

export function joinText({ email, code, key }: Join): string {
  const body = JSON.stringify({ email, referred_by: code });
  return postText(apiPaths.join, body, `${IDEMPOTENCY_KEY_HEADER}: ${key}\r\n`);
}

export function postText(path: string, body: string, headers = ''): string {
  const type = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  return `POST ${path} HTTP/1.1\r\nhost: bench\r\n${headers}${type}\r\n${body}`;
}

function pick(list: readonly string[]): string {
  return list[Math.floor(Math.random() * list.length)] ?? '';
}
