/** Requests over real sockets, as visitors and proxies send them. */
import { Agent, request } from 'node:http';
import { apiPaths, fillPath } from '../../contract/paths.ts';

/** A trusted and an untrusted peer, both on this machine. */
export const PROXY = '127.0.0.1';
export const STRANGER = '127.0.0.9';
/** A code that no member has. */
export const WRONG_CODE = 'ZZZZZZZZZZ';

export type Asked = {
  readonly path?: string;
  readonly method?: string;
  /** The address from which the connection comes. */
  readonly peer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The agent whose connections are used; by default that of all who ask. */
  readonly agent?: Agent;
};

export type Answered = {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: number;
};

const ownAgent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Guesses a code by default. */
export async function ask(url: string, asked: Asked = {}): Promise<Answered> {
  const {
    path = fillPath(apiPaths.verifyReferral, WRONG_CODE),
    method = 'GET',
    peer = PROXY,
    headers = {},
    body,
    agent = ownAgent,
  } = asked;
  const { hostname, port } = new URL(url);
  return await new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path, method, headers, localAddress: peer, agent },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk) => (text += chunk));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            text,
            retryAfter: Number(answer.headers['retry-after'] ?? 0),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The same through the proxy, on behalf of `address`. */
export function askAs(url: string, address: string, asked: Asked = {}): Promise<Answered> {
  return ask(url, { ...asked, headers: { ...asked.headers, 'x-forwarded-for': address } });
}

export function joinOf(email: string, options: { code?: string; key?: string } = {}): Asked {
  return {
    path: apiPaths.join,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(options.key !== undefined && { 'idempotency-key': options.key }),
    },
    body: JSON.stringify({ email, referred_by: options.code ?? null }),
  };
}

/** Asks until the first 429 and returns how many passed before it. Throws if none comes. */
export async function untilRefused(askOnce: (round: number) => Promise<Answered>): Promise<number> {
  for (let round = 0; round < 1_000; round++)
    if ((await askOnce(round)).status === 429) return round;
  throw new Error('Nobody was refused in a thousand times.');
}

/** Sends many requests, `atOnce` at a time. */
export async function askMany(
  count: number,
  askOne: (index: number) => Promise<Answered>,
  { atOnce = 32, onAnswer = (_answer: Answered, _index: number): void => {} } = {},
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) {
        const index = next++;
        onAnswer(await askOne(index), index);
      }
    }),
  );
}

/** The `index`th of many addresses. */
export function addressOf(index: number): string {
  return `${11 + ((index >> 24) & 63)}.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
}
