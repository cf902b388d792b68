/** Joining while an operator has paused it, on two servers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, IDEMPOTENCY_KEY_HEADER } from '../../contract/paths.ts';
import type { App } from '../../server/app.ts';
import { oneEngine } from '../support/engines.ts';
import { postForm } from './mail-links.ts';
import { NOBODY, provideApp } from './provide-app.ts';

const MESSAGE = 'We open again on Friday at noon.';

describe.each(oneEngine)('a pause on %s', (engine) => {
  const app = provideApp(engine);
  const { change, undo, statusOf } = app;
  let other: App;
  beforeAll(async () => {
    other = await app.openAnother();
  });
  afterAll(() => other.close());

  const readJoining = () => app.read(operatorPaths.joining);
  const joinAt = (on: App, email: string, headers: Record<string, string> = NOBODY) =>
    app.ask('POST', apiPaths.join, { email, referred_by: null }, headers, on);
  const pause = (message = MESSAGE) => change('pause-joining', { message });
  const reopen = () => change('reopen-joining');

  test('refuses joins politely on all servers at once, and nothing else', async () => {
    const known = await app.join('known@example.com');
    const withKey = { [IDEMPOTENCY_KEY_HEADER]: 'a-key' };
    const first = await joinAt(app, 'repeated@example.com', withKey);
    expect(await readJoining()).toEqual({ paused: null });
    expect((await pause()).summary).toBe('Joining was paused.');
    for (const server of [app, other]) {
      const refused = await joinAt(server, 'new@example.com');
      expect([refused.statusCode, refused.json(), refused.headers['retry-after']]).toEqual([
        503,
        { detail: MESSAGE },
        '600',
      ]);
      expect((await joinAt(server, 'known@example.com')).statusCode).toBe(409);
      const repeated = await joinAt(server, 'repeated@example.com', withKey);
      expect([repeated.statusCode, repeated.payload]).toEqual([201, first.payload]);
      expect(await statusOf(known.id)).toMatchObject({ id: known.id });
    }
    expect(await readJoining()).toEqual({
      paused: { message: MESSAGE, since: expect.stringMatching(/Z$/) },
    });
    expect(await reopen()).toMatchObject({ status: 201 });
    for (const [index, server] of [app, other].entries())
      expect((await joinAt(server, `new${index}@example.com`)).statusCode).toBe(201);
    expect(await reopen()).toEqual({ status: 409, detail: 'Joining is not paused.' });
    await app.expectWhole();
  });

  test('is shown by the form without script, with the address kept', async () => {
    await pause();
    const { statusCode, headers, payload } = await postForm(app, '/', { email: 'f@example.com' });
    expect([statusCode, headers['retry-after']]).toEqual([503, '600']);
    for (const part of [MESSAGE, 'f@example.com']) expect(payload).toContain(part);
    await reopen();
  });

  test('lets no join in behind it, however many come at once', async () => {
    const joins = Array.from({ length: 200 }, (_, index) =>
      joinAt(index % 2 ? app : other, `race${index}@example.com`),
    );
    expect(await pause()).toMatchObject({ status: 201 });
    const total = async () => (await app.read(apiPaths.stats)).total_signups as number;
    const atPause = await total();
    const answers = await Promise.all(joins);
    for (const { statusCode, json } of answers)
      if (statusCode !== 201) expect([statusCode, json().detail]).toEqual([503, MESSAGE]);
    expect(await total()).toBe(atPause);
    await reopen();
  });

  test('is undone to what was before, unless it was changed since', async () => {
    const detailOf = async () => (await joinAt(app, 'undone@example.com')).json().detail;
    const first = await pause();
    const second = await pause('Closed until summer.');
    expect(second.summary).toBe('Joining stayed paused, with another message.');
    const since = 'Joining was paused or reopened again since.';
    expect(await undo(first.change)).toMatchObject({ detail: since });
    expect(await undo(second.change)).toMatchObject({ status: 201 });
    expect(await detailOf()).toBe(MESSAGE);
    expect(await undo(first.change)).toMatchObject({ summary: 'Joining was reopened.' });
    expect(await detailOf()).toBeUndefined();
    const paused = await pause();
    const reopened = await reopen();
    expect(await undo(reopened.change)).toMatchObject({ summary: 'Joining was paused again.' });
    expect(await undo(paused.change)).toMatchObject({ status: 201 });
    expect(await readJoining()).toEqual({ paused: null });
  });

  test.each(['', ' x', 'two\nlines', 'x'.repeat(301), 'a\u0000b'])(
    'takes no message such as %j',
    async (message) => {
      const detail = expect.stringMatching(/^The .*\.$/);
      expect(await pause(message)).toEqual({ status: 422, detail });
    },
  );
});
