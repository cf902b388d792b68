/** Ways to evade a limit: each is tried, and none works. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import {
  apiPaths,
  fillPath,
  imagePaths,
  landingWithReferral,
  pagePaths,
} from '../../contract/paths.ts';
import { GUESSES_PER_IP, WRONG_TOKENS_PER_IP } from '../../server/guard/limits/limit-rules.ts';
import { oneEngine } from '../support/engines.ts';
import { runServerToItsEnd } from '../support/server-process.ts';
import { withClient } from '../support/with-client.ts';
import { type LimitedServer, startLimitedServer } from './limited-server.ts';
import {
  type Answered,
  type Asked,
  ask,
  askAs,
  joinOf,
  STRANGER,
  untilRefused,
  WRONG_CODE,
} from './visitor.ts';

const GUESSER = '198.51.100.7';
const JOINER = '198.51.100.8';
const NOBODY = '198.51.100.200';

describe.each(oneEngine)('on %s, a client that has guessed too many codes', (engine) => {
  let limited: LimitedServer;
  let url: string;
  let spentAt: number;

  const guess = () => askAs(url, GUESSER);
  const guessAsStranger = () => ask(url, { peer: STRANGER });
  /** One key: all joins but the first are counted and make no member. */
  const joinOnce = (name: string) => joinOf(`${name}@example.com`, { key: 'one-key' });
  let joins = 0;
  const join = () => askAs(url, JOINER, joinOnce(`joiner${joins++}`));

  beforeAll(async () => {
    limited = await startLimitedServer(engine);
    url = limited.url();
    spentAt = Date.now();
    expect(await untilRefused(guess)).toBe(60);
    expect(await untilRefused(guessAsStranger)).toBe(60);
    expect(await untilRefused(join)).toBe(240);
  });
  afterAll(() => limited.remove());

  /** The window slides meanwhile, so a few are allowed again: for a guess, one in ten seconds. */
  async function expectSpent(
    askOnce: (round: number) => Promise<Answered>,
    most: number,
  ): Promise<void> {
    const passed = await untilRefused(askOnce);
    expect(passed).toBeLessThanOrEqual(1 + (most * (Date.now() - spentAt)) / 600_000);
  }

  /** Checks as well that another client is not refused meanwhile. */
  async function expectRefused(
    asked: readonly (Asked & { as?: string })[],
    statuses = [429],
  ): Promise<void> {
    await expectSpent(guess, 60);
    await expectSpent(guessAsStranger, 60);
    for (const { as, ...one } of asked) {
      const { status, text } = await (as === undefined ? ask(url, one) : askAs(url, as, one));
      expect({ ...one, as, isRefused: statuses.includes(status), status }).toMatchObject({
        isRefused: true,
      });
      expect(text).not.toContain('"valid"');
    }
    expect((await askAs(url, NOBODY)).status).toBe(200);
  }

  test('is refused with forged forwarding headers', async () => {
    const forged = [
      'x-forwarded-for',
      'forwarded',
      'x-real-ip',
      'cf-connecting-ip',
      'true-client-ip',
      'x-client-ip',
    ];
    await expectRefused(
      forged.map((name, index) => ({
        peer: STRANGER,
        headers: { [name]: name === 'forwarded' ? `for=203.0.113.${index}` : `203.0.113.${index}` },
      })),
    );
    // The client's own claims come before the address that the proxy saw.
    await expectRefused([
      { as: `203.0.113.9, ${GUESSER}` },
      { headers: { 'X-FORWARDED-FOR': GUESSER, 'X-Real-IP': '203.0.113.22' } },
    ]);
  });

  test('is refused at other spellings of the path', async () => {
    const path = fillPath(apiPaths.verifyReferral, WRONG_CODE);
    const variants = [
      `${path}/`,
      `${path}?again=1`,
      `${path}#again`,
      path.toUpperCase(),
      path.replace('verify', '%76erify'),
      path.replace('/api/', '//api/'),
      path.replace('/api/', '/./api/'),
      path.replace('/api/', '/api/../api/'),
      path.replace(WRONG_CODE, WRONG_CODE.toLowerCase()),
      path.replace(WRONG_CODE, `%20${WRONG_CODE}`),
      `${url}${path}`,
    ];
    await expectRefused(
      variants.map((variant) => ({ as: GUESSER, path: variant })),
      [429, 400, 404],
    );
    // Other routes that look up codes.
    for (const other of [
      fillPath(imagePaths.inviteQr, WRONG_CODE),
      fillPath(imagePaths.inviteCard, WRONG_CODE, 'x'),
      fillPath(imagePaths.ghost, WRONG_CODE, 'x'),
      fillPath(imagePaths.reward, WRONG_CODE, 'shirt', 'x'),
    ])
      expect([other, (await askAs(url, GUESSER, { path: other })).status]).toEqual([other, 429]);
  });

  test('is refused with other methods, and its joins from the native forms too', async () => {
    const methods = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'get', 'QUERY'];
    await expectRefused(
      methods.map((method) => ({
        as: GUESSER,
        method,
        path: fillPath(apiPaths.verifyReferral, WRONG_CODE),
      })),
      [429, 204, 400, 404, 405, 415],
    );
    const form = {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
      body: 'email=by-form%40example.com',
    };
    await expectSpent(join, 240);
    for (const path of [
      pagePaths.landing,
      fillPath(pagePaths.invite, WRONG_CODE),
      landingWithReferral(WRONG_CODE),
    ])
      expect([path, (await askAs(url, JOINER, { ...form, path })).status]).toEqual([path, 429]);
  });

  test('is refused after a restart', async () => {
    await limited.restart();
    url = limited.url();
    await expectRefused([{ as: GUESSER }, { peer: STRANGER }]);
    await expectSpent(join, 240);
  });

  test('is refused by a second server, or no second server starts', async () => {
    if (engine === 'embedded') {
      const { exitCode } = await runServerToItsEnd({ DATA_DIR: limited.place.dataDir });
      expect(exitCode).toBe(1);
      return;
    }
    // What nothing else here counts is stored last.
    const { databaseUrl } = limited.place;
    const since = new Date();
    const wrong = { path: operatorPaths.changes, headers: { authorization: 'Bearer wrong' } };
    for (let round = 0; round <= WRONG_TOKENS_PER_IP.sharedFrom; round++)
      expect((await ask(url, wrong)).status).toBe(401);
    const find = 'select from limit_count where rule = $1 and settled_at >= $2';
    const countLast = () =>
      withClient(databaseUrl ?? '', (client) =>
        client.query(find, [WRONG_TOKENS_PER_IP.name, since]),
      );
    await expect.poll(async () => (await countLast()).rowCount).toBeGreaterThan(0);
    const second = await limited.startAnother();
    await expectSpent(() => askAs(second.url, GUESSER), 60);
    // Half of the limit at each server: they refuse by what they learn from each other.
    const both = [url, second.url];
    const another = '198.51.100.9';
    const half = GUESSES_PER_IP.max / 2;
    for (const each of both) for (let round = 0; round < half; round++) await askAs(each, another);
    for (const each of both) {
      let more = 0;
      const askMore = async () => {
        more += 1;
        return (await askAs(each, another)).status;
      };
      await expect.poll(askMore, { interval: 500 }).toBe(429);
      expect(more).toBeLessThan(half);
    }
  });
});
