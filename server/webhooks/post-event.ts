import type { LookupAddress } from 'node:dns';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type BlockList, isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { connectionFailureOf } from '../connection-failure-rules.ts';
import { listOf } from '../http/admission/client-address.ts';
import { codeOf } from '../startup-error.ts';

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

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 1024;
/** The sign in an address, also full-width, and as a URL, JSON or HTML escapes it. */
const AT = [
  '[@\uFF20\uFE6B]',
  '%(?:25)*(?:40|EF%(?:25)*BC%(?:25)*A0)',
  String.raw`\\+(?:u0040|uFF20|x40)`,
  '&(?:amp;)*(?:#0*64|#0*65312|#x0*40|#x0*FF20|commat);',
].join('|');
/** An answer may be cut off right after the sign. */
const ADDRESS = new RegExp(`[^\\s@"'<>(),;:]+(?:${AT})[^\\s@"'<>(),;]*`, 'gi');

type Answer = Pick<PostResult, 'status' | 'answer'>;

class Refusal extends Error {}

/** Posts to public addresses by https, and to addresses in `ranges` by http, too. */
export function openPost(ranges: readonly string[], timeoutMs = TIMEOUT_MS): PostEvent {
  const networks = listOf(ranges);
  return async ({ url, headers, body }) => {
    const begunAt = performance.now();
    const signal = AbortSignal.timeout(timeoutMs);
    let result: Answer = { status: null, answer: null };
    let cause: string | null = null;
    try {
      const target = new URL(url);
      const addresses = await resolveChecked(target, networks, signal);
      result = await send(target, addresses, { headers, body, signal });
      cause = judgeStatus(result.status);
    } catch (error) {
      cause = causeOf(error, signal);
    }
    return { ...result, cause, durationMs: Math.round(performance.now() - begunAt) };
  };
}

/** The connection goes to one of the returned addresses: no second look-up can redirect it. */
async function resolveChecked(
  { hostname, protocol }: URL,
  networks: BlockList,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const resolved = await orAborted(dns.lookup(host, { all: true }), signal);
  for (const each of resolved) {
    if (isInNetworks(networks, each)) continue;
    if (!isPublicAddress(each)) throw new Refusal('the host has an address that is not public');
    if (protocol !== 'https:') throw new Refusal('https is required');
  }
  return resolved;
}

async function send(
  url: URL,
  addresses: readonly LookupAddress[],
  { headers, body, signal }: Omit<Post, 'url'> & { readonly signal: AbortSignal },
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

function causeOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof Refusal) return error.message;
  if (signal.aborted) return 'no answer in time';
  const code = codeOf(error);
  if (code.startsWith('HPE_')) return 'not an HTTP answer';
  return connectionFailureOf(code) ?? 'connection failed';
}

function orAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    result.then(resolve, reject);
  });
}

type Address = { readonly address: string };

/** What IANA has given out. The rest of IPv6 is reserved, private, or IPv4 in disguise. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** False for the ranges of IANA's special-purpose registries, too. */
export function isPublicAddress({ address }: Address): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}

export function isInNetworks(networks: BlockList, { address }: Address): boolean {
  const family = isIP(address);
  return family > 0 && networks.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
