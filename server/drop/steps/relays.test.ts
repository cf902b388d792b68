import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { ROUND, SIGNATURE } from '../../../test/support/published-round.ts';
import { openRelays, RoundMissing } from './relays.ts';

const OTHER =
  'b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56' +
  'e91a6b85b89cd97b';
const TIMEOUT_MS = 200;

const servers: Server[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function openRelay(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const telling = (signature: unknown) => () =>
  openRelay((_request, response) => response.end(JSON.stringify({ round: ROUND, signature })));

const FAULTS: Readonly<Record<string, () => Promise<string>>> = {
  'lies with a signature of another round': telling(OTHER),
  'lies with something else': telling({ toString: SIGNATURE }),
  'does not know the round': () =>
    openRelay((_request, response) => response.writeHead(404).end('{"error":"not yet"}')),
  'answers no JSON': () => openRelay((_request, response) => response.end('<h1>Welcome</h1>')),
  'leads elsewhere': () =>
    openRelay((_request, response) => response.writeHead(302, { location: '/other' }).end()),
  'hangs up': () => openRelay(({ socket }) => socket.destroy()),
  'never answers': () => openRelay(() => undefined),
  'begins and never ends': () => openRelay((_request, response) => void response.write('{"sig')),
  'answers without end': () =>
    openRelay((_request, response) => {
      const pour = () => {
        while (response.write(' '.repeat(1024)));
      };
      response.on('drain', pour);
      pour();
    }),
  'is not there': async () => {
    const url = await openRelay(() => undefined);
    servers.pop()?.close();
    return url;
  },
};

test.each(Object.keys(FAULTS))('a relay that %s stops no honest one', async (fault) => {
  const faulty = await FAULTS[fault]?.();
  let asked: string | undefined;
  const honest = await openRelay(({ url }, response) => {
    asked = url;
    // Later than what the faulty one says at once.
    setTimeout(() => response.end(JSON.stringify({ signature: SIGNATURE })), TIMEOUT_MS / 4);
  });
  expect(await openRelays([faulty ?? '', honest])(ROUND)).toBe(SIGNATURE);
  expect(asked).toBe(
    '/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/public/1000',
  );
});

test('with faulty relays alone, a sentence says what to do', async () => {
  const relays = await Promise.all(Object.values(FAULTS).map((open) => open()));
  const failure = await openRelays(relays, TIMEOUT_MS)(ROUND).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RoundMissing);
  expect(String(failure)).toMatch(
    /No right answer came from 127\.0\.0\.1:\d+, .*: paste it instead/,
  );
  await expect(openRelays([])(ROUND)).rejects.toThrow('No relay is set.');
});

test('relays rest after a failure, and are not asked before the round is public', async () => {
  let asked = 0;
  const relay = await openRelay((_request, response) => {
    asked += 1;
    response.end(JSON.stringify({ signature: asked === 1 ? OTHER : SIGNATURE }));
  });
  const fetchRound = openRelays([relay]);
  await expect(fetchRound(2 ** 40)).rejects.toThrow('It is public at ');
  expect(asked).toBe(0);
  await expect(fetchRound(ROUND)).rejects.toThrow(RoundMissing);
  await expect(fetchRound(ROUND)).rejects.toThrow(RoundMissing);
  expect(asked).toBe(1);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 });
  expect(await fetchRound(ROUND)).toBe(SIGNATURE);
});
