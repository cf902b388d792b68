/** Joining while an operator has paused it, on two servers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, IDEMPOTENCY_KEY_HEADER } from '../../contract/paths.ts';
import type { App } from '../../server/app.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { oneEngine } from '../support/engines.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const MESSAGE = 'We open again on Friday at noon.';

describe.each(oneEngine)('a pause on %s', (engine) => {
  let app: TestApp;
  let other: App;
  beforeAll(async () => {
    app = await openTestApp(engine);
    other = await app.openAnother();
  });
  afterAll(async () => {
    await other.close();
    await app.remove();
  });

  const change = (kind: string, input: object) =>
    app.fastify.inject({
      method: 'POST',
      url: operatorPaths.changes,
      headers: HEADERS,
      payload: { kind, input, reason: 'a test' },
    });
  const undo = (number: number) =>
    app.fastify.inject({
      method: 'POST',
      url: fillPath(operatorPaths.undoChange, String(number)),
      headers: HEADERS,
      payload: { reason: 'a mistake' },
    });
  const readJoining = async () =>
    (await app.fastify.inject({ url: operatorPaths.joining, headers: HEADERS })).json();
  const joinAt = ({ fastify }: Pick<App, 'fastify'>, email: string, key?: string) =>
    fastify.inject({
      method: 'POST',
      url: apiPaths.join,
      payload: { email, referred_by: null },
      ...(key !== undefined && { headers: { [IDEMPOTENCY_KEY_HEADER]: key } }),
    });
  const pause = (message = MESSAGE) => change('pause-joining', { message });

  test('refuses joins politely on all servers at once, and nothing else', async () => {
    const known = await app.join('known@example.com');
    const first = await joinAt(app, 'repeated@example.com', 'a-key');
    expect(await readJoining()).toEqual({ paused: null });
    expect((await pause()).json().summary).toBe('Joining was paused.');
    for (const server of [app, other]) {
      const refused = await joinAt(server, 'new@example.com');
      expect([refused.statusCode, refused.json(), refused.headers['retry-after']]).toEqual([
        503,
        { detail: MESSAGE },
        '600',
      ]);
      expect((await joinAt(server, 'known@example.com')).statusCode).toBe(409);
      const repeated = await joinAt(server, 'repeated@example.com', 'a-key');
      expect([repeated.statusCode, repeated.payload]).toEqual([201, first.payload]);
      expect((await server.fastify.inject(fillPath(apiPaths.status, known.id))).statusCode).toBe(
        200,
      );
    }
    expect(await readJoining()).toEqual({
      paused: { message: MESSAGE, since: expect.stringMatching(/Z$/) },
    });
    expect((await verifyLine(app.database)).differences).toEqual([]);
    expect((await change('reopen-joining', {})).statusCode).toBe(201);
    for (const [index, server] of [app, other].entries())
      expect((await joinAt(server, `new${index}@example.com`)).statusCode).toBe(201);
    const again = await change('reopen-joining', {});
    expect([again.statusCode, again.json().detail]).toEqual([409, 'Joining is not paused.']);
  });

  test('is shown by the form without script, with the address kept', async () => {
    await pause();
    const answer = await app.fastify.inject({
      method: 'POST',
      url: '/',
      headers: {
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
      payload: 'email=form%40example.com',
    });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('600');
    expect(answer.payload).toContain(MESSAGE);
    expect(answer.payload).toContain('form@example.com');
    await change('reopen-joining', {});
  });

  test('lets no join in behind it, however many come at once', async () => {
    const joins = Array.from({ length: 200 }, (_, index) =>
      joinAt(index % 2 ? app : other, `race${index}@example.com`),
    );
    const paused = await pause();
    const total = async () =>
      (await app.fastify.inject(apiPaths.stats)).json().total_signups as number;
    expect(paused.statusCode).toBe(201);
    const atPause = await total();
    const answers = await Promise.all(joins);
    expect(new Set(answers.map(({ statusCode }) => statusCode)).size).toBeLessThanOrEqual(2);
    for (const { statusCode, json } of answers)
      if (statusCode !== 201) expect([statusCode, json().detail]).toEqual([503, MESSAGE]);
    expect(await total()).toBe(atPause);
    await change('reopen-joining', {});
  });

  test('is undone to what was before, unless it was changed since', async () => {
    const first = (await pause()).json();
    const second = (await pause('Closed until summer.')).json();
    expect(second.summary).toBe('Joining stayed paused, with another message.');
    expect((await undo(first.change)).json().detail).toBe(
      'Joining was paused or reopened again since.',
    );
    expect((await undo(second.change)).statusCode).toBe(201);
    expect((await joinAt(app, 'undone@example.com')).json().detail).toBe(MESSAGE);
    expect((await undo(first.change)).json().summary).toBe('Joining was reopened.');
    expect((await joinAt(app, 'undone@example.com')).statusCode).toBe(201);
    const paused = (await pause()).json();
    const reopened = (await change('reopen-joining', {})).json();
    expect((await undo(reopened.change)).json().summary).toBe('Joining was paused again.');
    expect((await undo(paused.change)).statusCode).toBe(201);
    expect(await readJoining()).toEqual({ paused: null });
  });

  test.each(['', ' x', 'two\nlines', 'x'.repeat(301), 'a\u0000b'])(
    'takes no message such as %j',
    async (message) => {
      const refused = await pause(message);
      expect(refused.statusCode).toBe(422);
      expect(refused.json().detail).toMatch(/^The .*\.$/);
    },
  );
});
