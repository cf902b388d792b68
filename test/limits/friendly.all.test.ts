/** Limits must not stop honest visitors, nor store who they are. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { spellings } from '../line/spellings.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { type LimitedServer, startLimitedServer } from './limited-server.ts';
import { addressOf, ask, askAs, askMany, joinOf, untilRefused } from './visitor.ts';

describe.each(oneEngine)('on %s', (engine) => {
  let limited: LimitedServer;
  let url: string;
  beforeAll(async () => {
    limited = await startLimitedServer(engine);
    url = limited.url();
  });
  afterAll(() => limited.remove());

  let visitors = 0;
  const somewhere = () => {
    visitors += 1;
    return addressOf(visitors);
  };

  const step = tellStory('a server limits no honest visitor, and stores none of them');

  step('40 people behind one address can open an invite, mistype, join and retry', async () => {
    const office = '198.51.100.40';
    const { text } = await askAs(url, somewhere(), joinOf('first@example.com'));
    const { referral_code: code } = JSON.parse(text);
    const told = new Map<number, number>();
    for (let person = 0; person < 40; person++) {
      const asked = [
        { path: fillPath(apiPaths.verifyReferral, code) },
        { path: fillPath(apiPaths.verifyReferral, code) },
        // Every second person mistypes the code too.
        ...(person % 2 === 0
          ? [{ path: fillPath(apiPaths.verifyReferral, `X${code.slice(1)}`) }]
          : []),
        joinOf(`person${person}@example`, { code }),
        joinOf(`person${person}@example.com`, { code, key: `key-${person}` }),
        joinOf(`person${person}@example.com`, { code, key: `key-${person}` }),
      ];
      for (const one of asked) {
        const { status } = await askAs(url, office, one);
        told.set(status, (told.get(status) ?? 0) + 1);
      }
    }
    expect(Object.fromEntries(told)).toEqual({ 200: 100, 201: 80, 422: 40 });
  });

  step('a joined e-mail address, however spelt, can be entered ten times more', async () => {
    const ways = spellings('often');
    const again = (round: number) =>
      askAs(url, somewhere(), joinOf(ways[round % ways.length] ?? ''));
    expect(await untilRefused(again)).toBe(1 + 10);
    const refused = await again(3);
    expect(JSON.parse(refused.text).detail).toMatch(/^This address .*[.]$/);
    expect(refused.retryAfter).toBeGreaterThan(0);
    expect((await askAs(url, somewhere(), joinOf('other@example.com'))).status).toBe(201);
  });

  step('a retry with its key gets the lost answer, even if others used the address', async () => {
    const join = joinOf('unlucky@example.com', { key: 'key-of-a-lost-answer' });
    const first = await askAs(url, somewhere(), join);
    expect(first.status).toBe(201);
    await untilRefused(() => askAs(url, somewhere(), joinOf('unlucky@example.com')));
    for (let round = 0; round < 20; round++)
      expect(await askAs(url, somewhere(), join)).toMatchObject(first);
    for (const other of [
      joinOf('unlucky@example.com', { key: 'another-key' }),
      joinOf('unlucky@example.com', { key: 'key-of-a-lost-answer', code: 'ZZZZZZZZZZ' }),
    ])
      expect((await askAs(url, somewhere(), other)).status).toBe(429);
  });

  step('a trusted proxy that sends another forwarding header is warned about once', async () => {
    for (let round = 0; round < 5; round++)
      await ask(url, { headers: { 'x-real-ip': '203.0.113.5' } });
    await askAs(url, '203.0.113.6');
    const findWarnings = () => limited.output().match(/.*X-Forwarded-For.*/g) ?? [];
    await expect.poll(findWarnings).toHaveLength(1);
    expect(limited.output()).not.toContain('203.0.113');
  });

  step('the database names nobody, and has no rows of visitors far below a limit', async () => {
    const counts = await limited.dump((table) => table === 'public.limit_count');
    expect(counts).toContain('joins-per-email');
    expect(counts).toMatch(/^(public\.limit_count \{.*"key":"[\w-]{43}".*\n?)+$/);
    for (const name of ['often', 'unlucky', 'person', 'example', '198.51', '11.0.0'])
      expect(counts).not.toContain(name);
  });
});

test('neither memory nor the database names a counted member who has left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-heap-'));
  const heap = `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}`;
  const limited = await startLimitedServer('postgres', {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${heap}`,
  });
  const email = 'wombathopper@example.com';
  const office = '203.0.113.113';
  const { text } = await askAs(limited.url(), office, joinOf(email));
  const { id, referral_code: code } = JSON.parse(text);
  for (let round = 0; round < 8; round++) await askAs(limited.url(), office, joinOf(email));
  for (let round = 0; round < 40; round++)
    await askAs(limited.url(), office, joinOf(`friend${round}@example.com`, { code }));
  const token = readFileSync(join(limited.place.dataDir, 'operator-token'), 'utf8').trim();
  const removed = await ask(limited.url(), {
    method: 'POST',
    path: operatorPaths.changes,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'erase-member', input: { member: id }, reason: 'asked for it' }),
  });
  expect(removed.status).toBeLessThan(300);
  // The last buffers read are held until they are reused.
  await askMany(200, () => ask(limited.url(), { path: '/healthz' }));

  process.kill(limited.pid(), 'SIGUSR2');
  await expect.poll(() => readdirSync(folder)).toHaveLength(1);
  // Answered once the snapshot is whole: the server does nothing else meanwhile.
  await ask(limited.url(), { path: '/healthz' });
  const snapshot = readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'latin1');
  expect(snapshot.endsWith('}')).toBe(true);
  expect(snapshot.includes('joins-per-email')).toBe(true);
  for (const name of ['wombathopper', code, office])
    expect(snapshot.includes(name), name).toBe(false);
  const tables = await limited.dump(() => true);
  expect(tables).toContain('joins-per-email');
  for (const name of ['wombathopper', code, office])
    expect(tables.includes(name), name).toBe(false);
  await limited.remove();
  rmSync(folder, { recursive: true });
});

describe('behind a local proxy that TRUST_PROXY does not name', () => {
  let limited: LimitedServer;
  beforeAll(async () => {
    limited = await startLimitedServer('postgres', { TRUST_PROXY: '' });
  });
  afterAll(() => limited.remove());

  test('visitors are not limited as one; the log says once which setting is missing', async () => {
    for (let round = 0; round < 100; round++) {
      const { status } = await ask(limited.url(), {
        headers: { [round % 2 === 0 ? 'x-forwarded-for' : 'cf-connecting-ip']: addressOf(round) },
      });
      expect(status).toBe(200);
    }
    const findWarnings = () => limited.output().match(/.*TRUST_PROXY.*/g) ?? [];
    await expect.poll(findWarnings).toHaveLength(1);
    expect(limited.output()).not.toMatch(/11\.0\.0|127\.0\.0\.1","/);
  });
});
