/** The first in line, and what their positions rest on, over the API. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FirstInLine } from '../../contract/operator/credits/first-in-line.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { oneEngine } from '../support/engines.ts';
import { CHEATS, fillGroups, HONEST_GROUPS } from '../support/grouped-line.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };

describe.each(oneEngine)('the first in line on %s', (engine) => {
  let app: TestApp;
  let ids: Readonly<Record<string, string>>;
  beforeAll(async () => {
    app = await openTestApp(engine, { referralCredit: 'settle' });
    ids = await fillGroups(app.database);
  });
  afterAll(() => app.remove());

  const read = async (query = '') => {
    const url = operatorPaths.firstInLine + query;
    const answer = await app.fastify.inject({ url, headers: HEADERS });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json() as FirstInLine;
  };
  const post = (url: string, payload: object) =>
    app.fastify.inject({ method: 'POST', url, payload, headers: HEADERS });
  const find = async (name: string) => {
    const found = (await read()).members.find(({ member }) => member.id === ids[name]);
    if (found === undefined) throw new Error(`${name} is not among the first.`);
    return found;
  };

  test('each says what the position rests on', async () => {
    expect(await find('evening')).toMatchObject({
      friends: { joined: 30, confirmed: 30, counting: 11, held: 0, refused: 0 },
      read: 30,
      mailboxes: {
        costly: 0,
        open: 30,
        domains: [{ domain: 'mine.example', is_open: true, friends: 30 }],
      },
      traces: { known: 30, networks: 1, largest_network: 30, browsers: 2 },
      hours: { busiest: 30 },
      near_misses: 4,
      chain: 0,
    });
    expect(await find('office')).toMatchObject({
      friends: { joined: 24, confirmed: 19, counting: 19 },
      mailboxes: { costly: 24, open: 0, domains: [{ domain: 'firm.example', is_open: false }] },
      traces: { networks: 1 },
      near_misses: 2,
    });
    expect(await find('alumni')).toMatchObject({ traces: { known: 0, networks: 0, browsers: 0 } });
    expect(await find('link6')).toMatchObject({ chain: 6 });
  });

  test('a creator is summarised by an even sample', async () => {
    const { friends, read: sampled, drawn, hours } = await find('creator');
    expect(friends).toMatchObject({ joined: 460, confirmed: 320 });
    expect(sampled).toBe(200);
    expect(drawn).toHaveLength(200);
    expect(hours.span).toBeGreaterThan(200);
  });

  test('cheats are listed before honest groups, but for bought mailboxes', async () => {
    const { bought, ...others } = CHEATS;
    const { gym, ...distant } = HONEST_GROUPS;
    expect([bought.browsers, gym.browsers]).toEqual([1, 1]);
    const order = (await read()).members.map(({ member }) => member.id);
    const placesOf = (groups: object) =>
      Object.keys(groups).map((name) => order.indexOf(ids[name] ?? ''));
    expect(Math.max(...placesOf(others))).toBeLessThan(Math.min(...placesOf(HONEST_GROUPS)));
    expect(Math.max(...placesOf({ bought }))).toBeLessThan(Math.min(...placesOf(distant)));
    // One tablet and one phone differ by the hours alone.
    const signsOf = async (name: string) =>
      (await find(name)).suspicion.signs.map(({ sign }) => sign);
    expect(await signsOf('bought')).toContain('one-evening');
    expect(await signsOf('gym')).not.toContain('one-evening');
  });

  test('places are those of a freeze, and as many as were asked for', async () => {
    const { members } = await read('?first=7');
    const places = members.map(({ place }) => place).toSorted((a, b) => a - b);
    expect(places).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const counting = members
      .toSorted((a, b) => a.place - b.place)
      .map(({ friends }) => friends.counting);
    expect(counting.slice(0, 2)).toEqual([320, 21]);
    const refused = await app.fastify.inject({
      url: `${operatorPaths.firstInLine}?first=0`,
      headers: HEADERS,
    });
    expect(refused.statusCode).toBe(422);
  });

  test('who looked, and when, is kept until it is undone', async () => {
    const input = { member_id: ids.gym };
    const look = { kind: 'look-at-member', input, reason: 'a test' };
    const made = await post(operatorPaths.changes, look);
    expect(made.statusCode, made.body).toBe(201);
    const { change } = made.json();
    expect(await find('gym')).toMatchObject({ looked: { change, friends_since: 0 } });
    expect((await read()).looked).toBe(1);
    await app.join('late@example.com', (await find('gym')).member.referral_code);
    expect(await find('gym')).toMatchObject({ looked: { friends_since: 1 } });
    const undo = fillPath(operatorPaths.undoChange, String(change));
    await post(undo, { reason: 'a mistake' });
    expect((await find('gym')).looked).toBeNull();
  });
});
