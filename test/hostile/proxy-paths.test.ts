/** Paths that a proxy keeps from visitors: no other spelling of one leads past the proxy. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hasHaproxy, startDeployedHaproxy } from '../faults/overload/deployed-haproxy.ts';
import { exchange, provideListening } from './listening-app.ts';

const INNER = ['/metrics', '/readyz', '/healthz'];
const NOT_FOUND = 404;

const { port } = provideListening();

const escaped = (char: string) => `%${char.charCodeAt(0).toString(16)}`;

function spellingsOf(path: string): string[] {
  const letters = [...path.slice(1)];
  const oneEscaped = letters.map((_, at) =>
    ['/', ...letters.map((char, index) => (index === at ? escaped(char) : char))].join(''),
  );
  const allEscaped = `/${letters.map(escaped).join('')}`;
  const plain = [path, ...oneEscaped, allEscaped, allEscaped.toUpperCase()];
  const ends = ['', '?a', '#a', ';a', '/', '//', '%3fa', '%23a', '%2f', '%00', '.', '%20'];
  return [
    ...plain.flatMap((spelling) => ends.map((end) => spelling + end)),
    `/${path}`,
    `/.${path}`,
    `/a/..${path}`,
    `/%2f${path.slice(1)}`,
    path.toUpperCase(),
    allEscaped.replaceAll('%', '%25'),
    `http://elsewhere.example${path}`,
  ];
}

async function statusOf(target: string, at = port()): Promise<number> {
  const request = `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  return Number((await exchange(at, request)).slice(9, 12));
}

/** What HAProxy's `path,url_dec` gives: before the question mark, without origin, unescaped. */
function decodedPath(target: string): string {
  const [path = ''] = target.replace(/^http:\/\/[^/]+/, '').split('?');
  return path.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const rule = /deny_status 404 if \{ path,url_dec -m reg (\S+) \}/.exec(
  readFileSync('deploy/haproxy.cfg', 'utf8'),
)?.[1];
const prefixes = /^\s*@inner path (.*)$/m
  .exec(readFileSync('deploy/Caddyfile', 'utf8'))?.[1]
  ?.split(' ')
  .map((pattern) => pattern.replace(/\*$/, ''));

test.each(INNER)(
  'whatever this server takes for %s, the proxies keep from visitors',
  async (path) => {
    const isDenied = new RegExp(rule ?? 'no rule');
    let reached = 0;
    for (const target of spellingsOf(path)) {
      if ((await statusOf(target)) === NOT_FOUND) continue;
      reached += 1;
      const seen = decodedPath(target);
      expect([target, isDenied.test(seen)]).toEqual([target, true]);
      expect([target, prefixes?.some((prefix) => seen.startsWith(prefix))]).toEqual([target, true]);
    }
    expect(reached).toBeGreaterThan(path.length);
  },
);

test('the proxies keep no page, call or file from visitors', () => {
  const isDenied = new RegExp(rule ?? '');
  for (const path of ['/', '/invite/metrics', '/healthzy', '/api/waitlist/stats', '/assets/a.js'])
    expect([path, isDenied.test(path)]).toEqual([path, false]);
});

test('nginx has the same rule as HAProxy', () => {
  const nginx = readFileSync('deploy/nginx.conf', 'utf8');
  expect(/location ~ (\S+) \{\s+return 404;/.exec(nginx)?.[1]).toBe(rule);
});

test.skipIf(!hasHaproxy)('HAProxy itself lets no spelling through', async () => {
  const proxy = await startDeployedHaproxy(port());
  try {
    for (const path of INNER)
      for (const target of spellingsOf(path))
        expect([target, [400, NOT_FOUND].includes(await statusOf(target, proxy.port))]).toEqual([
          target,
          true,
        ]);
    expect(await statusOf('/', proxy.port)).toBe(200);
  } finally {
    await proxy.stop();
  }
});
