/** The duration of an answer does not reveal whether a referral code exists. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { type LimitedServer, startLimitedServer } from '../limits/limited-server.ts';
import { ask, joinOf } from '../limits/visitor.ts';
import { oneEngine } from '../support/engines.ts';
import { isLong } from '../support/test-form.ts';

const REQUESTS = isLong ? 6_000 : 150;
const MEMBERS = isLong ? 1_000 : 20;
/** Deviation of the share of pairs from a half: chance reaches it once in a million runs. */
const MAX_DIFFERENCE = isLong ? 0.03 : 0.2;
/** Far more than a server needs for an answer that waits for nothing. */
const ROUND_TRIPS = 50;

describe.each(oneEngine)('on %s', (engine) => {
  let limited: LimitedServer;
  let url: string;
  const codes: string[] = [];
  beforeAll(async () => {
    // Clients of this machine are not limited.
    limited = await startLimitedServer(engine, { TRUST_PROXY: '' });
    url = limited.url();
    for (let index = 0; index < MEMBERS; index++) {
      const { text } = await ask(url, joinOf(`member${index}@example.com`));
      codes.push(JSON.parse(text).referral_code);
    }
  });
  afterAll(() => limited.remove());

  const member = (index: number) => codes[index % codes.length] ?? '';
  const kinds: Readonly<Record<string, (index: number) => string>> = {
    hit: member,
    // Differs from a member's code in the last character only.
    miss: (index) => member(index).slice(0, -1) + (member(index).endsWith('Z') ? 'Y' : 'Z'),
    malformed: (index) => `${member(index).slice(0, -1)}U`,
  };

  test(`valid, unknown and malformed codes take equally long (each: ${REQUESTS})`, {
    timeout: 1_800_000,
  }, async () => {
    const names = Object.keys(kinds);
    const times = Object.fromEntries(names.map((name) => [name, [] as number[]]));
    const answers = new Map<string, Set<string>>();
    for (let index = -50; index < REQUESTS; index++) {
      // In rotating order, because later requests find warmer caches.
      for (let round = 0; round < names.length; round++) {
        const name = names[(round + index + 50) % names.length] ?? '';
        const path = fillPath(apiPaths.verifyReferral, kinds[name]?.(Math.abs(index)) ?? '');
        const began = performance.now();
        const { status, text } = await ask(url, { path });
        if (index >= 0) times[name]?.push(performance.now() - began);
        answers.set(
          name,
          (answers.get(name) ?? new Set()).add(`${status} ${text.replace(/member\d+/, 'member')}`),
        );
      }
    }
    const wrong = new Set(['200 {"valid":false,"referrer_email":null}']);
    expect(answers.get('miss')).toEqual(wrong);
    expect(answers.get('malformed')).toEqual(wrong);
    expect(answers.get('hit')).toEqual(
      new Set(['200 {"valid":true,"referrer_email":"member@example.com"}']),
    );
    for (const [one, other] of [
      ['hit', 'miss'],
      ['hit', 'malformed'],
      ['miss', 'malformed'],
    ] as const) {
      const slower = shareSlower(times[one] ?? [], times[other] ?? []);
      if (isLong)
        console.log(`${engine}: ${one} slower than ${other} in ${(slower * 100).toFixed(1)} %`);
      expect(Math.abs(slower - 0.5), `${one} and ${other}`).toBeLessThan(MAX_DIFFERENCE);
    }
  });

  if (engine === 'embedded') return;
  test('a malformed code waits for the database like any other', async () => {
    const client = new pg.Client({ connectionString: limited.place.databaseUrl ?? '' });
    await client.connect();
    await client.query('begin; lock table member in access exclusive mode');
    const answered: string[] = [];
    const asked = Object.entries(kinds).map(async ([name, codeOf]) => {
      await ask(url, { path: fillPath(apiPaths.verifyReferral, codeOf(3)) });
      answered.push(name);
    });
    const blocked = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await client.query(blocked)).rows.length).toBeGreaterThan(0);
    for (let round = 0; round < ROUND_TRIPS; round += 1) await ask(url, { path: '/healthz' });
    expect(answered).toEqual([]);
    await client.query('rollback');
    await client.end();
    await Promise.all(asked);
    expect(answered.sort()).toEqual(['hit', 'malformed', 'miss']);
  });
});

/** Mann-Whitney: the share of pairs in which the first is slower; 0.5 without a difference. */
function shareSlower(one: readonly number[], other: readonly number[]): number {
  const slower = one.map((ms) => other.filter((otherMs) => otherMs < ms).length);
  return slower.reduce((sum, pairs) => sum + pairs, 0) / (one.length * other.length);
}
