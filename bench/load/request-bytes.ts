/** The bytes of the requests that are sent, made with as little work as there can be: the client shares the machine with the server. */
import { apiPaths, IDEMPOTENCY_KEY_HEADER } from '../../contract/paths.ts';

export type RequestKind =
  | 'constant'
  | 'select'
  | 'insert'
  | 'status'
  | 'join'
  | 'hot-join'
  | 'stats'
  | 'verify-referral'
  | 'page';

/** Whom requests are about. */
export type Sample = {
  readonly ids: readonly string[];
  /** Of the same members. */
  readonly codes: readonly string[];
  /** Who invites: each as often as they have invited before, so that a few invite most. */
  readonly inviterCodes: readonly string[];
};

export const EMPTY_SAMPLE: Sample = { ids: [], codes: [], inviterCodes: [] };

type RequestOptions = {
  readonly kind: RequestKind;
  readonly sample: Sample;
  /** Part of every address and key: another one for every run against a database. */
  readonly tag: string;
  /** Of kind `page`. */
  readonly path?: string;
};

/** Answers the next request each time it is called. Of joins every other one is invited; of hot ones all, by one member. */
export function openRequests({ kind, sample, tag, path = '/' }: RequestOptions): () => string {
  let number = 0;
  const pick = (list: readonly string[]) => list[Math.floor(Math.random() * list.length)] ?? '';
  const hotCode = sample.inviterCodes[0] ?? '';
  const join = (code: string | null) =>
    joinBytes({ email: `bench${number}.${tag}@mail.example`, code, key: `${tag}-${number}` });
  const make: Record<RequestKind, () => string> = {
    constant: () => getBytes('/constant'),
    select: () => getBytes(`/select/${pick(sample.ids)}`),
    insert: () => postBytes('/insert', JSON.stringify({ email: `floor${number}.${tag}@mail.example` })),
    status: () => getBytes(apiPaths.status(pick(sample.ids))),
    join: () => join(number % 2 === 0 ? pick(sample.inviterCodes) : null),
    'hot-join': () => join(hotCode),
    stats: () => getBytes(apiPaths.stats()),
    'verify-referral': () => getBytes(apiPaths.verifyReferral(pick(sample.codes))),
    page: () => getBytes(path, 'accept-encoding: br\r\n'),
  };
  return () => {
    number += 1;
    return make[kind]();
  };
}

export function getBytes(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nhost: bench\r\n${headers}\r\n`;
}

/** A join as the site's form sends it. */
export function joinBytes({ email, code, key }: { email: string; code: string | null; key: string }): string {
  const body = JSON.stringify({ email, referred_by: code });
  return postBytes(apiPaths.join(), body, `${IDEMPOTENCY_KEY_HEADER}: ${key}\r\n`);
}

function postBytes(path: string, body: string, headers = ''): string {
  return `POST ${path} HTTP/1.1\r\nhost: bench\r\n${headers}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}
