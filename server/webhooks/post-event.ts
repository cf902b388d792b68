/** One attempt: resolves the host, checks its addresses, and posts to a checked one. */
import dns from 'node:dns/promises';
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type BlockList, isIP, type LookupFunction } from 'node:net';
import { codeOf } from '../startup-error.ts';
import { isInNetworks, isPublicAddress } from './public-address.ts';

type Post = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type PostResult = {
  readonly status: number | null;
  readonly cause: string | null;
  /** The first characters of the body, without e-mail addresses; null when there is none. */
  readonly answer: string | null;
  readonly durationMs: number;
};

export type PostEvent = (post: Post) => Promise<PostResult>;

/** A whole attempt: from the look-up of the name to the end of the answer. */
const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 1024;
const ADDRESS = /[^\s@"'<>(),;:]+@[^\s@"'<>(),;]+/g;

type Resolved = { readonly address: string; readonly family: number };
type Answer = Pick<PostResult, 'status' | 'answer'>;

class Refusal extends Error {}

/** Posts go to public addresses by https, and to `networks` by http, too. */
export function openPost({
  networks,
  timeoutMs = TIMEOUT_MS,
}: {
  networks: BlockList;
  timeoutMs?: number;
}): PostEvent {
  return async ({ url, headers, body }) => {
    const begunAt = performance.now();
    const signal = AbortSignal.timeout(timeoutMs);
    let result: Answer = { status: null, answer: null };
    let cause: string | null = null;
    try {
      const target = new URL(url);
      const addresses = await resolveChecked(target, networks, signal);
      result = await send(target, { addresses, headers, body, signal });
      cause = judgeStatus(result.status);
    } catch (error) {
      cause = causeOf(error, signal);
    }
    return { ...result, cause, durationMs: Math.round(performance.now() - begunAt) };
  };
}

/** The connection goes to one of these, so a second look-up cannot redirect it. */
async function resolveChecked(
  { hostname, protocol }: URL,
  networks: BlockList,
  signal: AbortSignal,
): Promise<readonly Resolved[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const resolved =
    family > 0
      ? [{ address: host, family }]
      : await orAborted(dns.lookup(host, { all: true }), signal);
  for (const each of resolved) {
    if (isInNetworks(networks, each)) continue;
    if (!isPublicAddress(each)) throw new Refusal('the host has an address that is not public');
    if (protocol !== 'https:') throw new Refusal('https is required');
  }
  return resolved;
}

async function send(
  url: URL,
  {
    addresses,
    headers,
    body,
    signal,
  }: Omit<Post, 'url'> & { addresses: readonly Resolved[]; signal: AbortSignal },
): Promise<Answer> {
  const [first] = addresses;
  const pinned: LookupFunction = (_host, { all }, done) =>
    all ? done(null, [...addresses]) : done(null, first?.address ?? '', first?.family);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const outgoing = request(url, {
    method: 'POST',
    // No keep-alive: the next event must go to an address checked anew.
    agent: false,
    lookup: pinned,
    signal,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  outgoing.on('error', () => {}).end(body);
  const [incoming] = await answered;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of incoming) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // A body that is slow or cut off does not change the status.
  }
  return { status: incoming.statusCode ?? null, answer: readAnswer(Buffer.concat(chunks)) };
}

/** PostgreSQL stores no null characters, and a receiver may echo addresses. */
function readAnswer(bytes: Buffer): string | null {
  const text = bytes
    .subarray(0, MAX_ANSWER_BYTES)
    .toString()
    .replaceAll('\0', '')
    .replaceAll(ADDRESS, '[address]');
  return text === '' ? null : text;
}

function judgeStatus(status: number | null): string | null {
  if (status === null) return 'no answer';
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirects are not followed';
  if (status === 410) return 'the receiver wants no more events';
  return `status ${status}`;
}

const BY_CODE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  EPIPE: 'connection lost',
  EHOSTUNREACH: 'host not reachable',
  ENETUNREACH: 'host not reachable',
  ETIMEDOUT: 'no answer in time',
  CERT_HAS_EXPIRED: 'certificate expired',
  CERT_NOT_YET_VALID: 'certificate expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate of another host',
};
const CERTIFICATE_CODE = /^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|INVALID_CA)/;

function causeOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof Refusal) return error.message;
  if (signal.aborted) return 'no answer in time';
  const code = codeOf(error);
  if (CERTIFICATE_CODE.test(code) && !(code in BY_CODE)) return 'certificate not trusted';
  if (/^(?:ERR_SSL_|EPROTO$)/.test(code)) return 'TLS failed';
  if (code.startsWith('HPE_')) return 'not an HTTP answer';
  return BY_CODE[code] ?? 'connection failed';
}

function orAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    result.then(resolve, reject);
  });
}
