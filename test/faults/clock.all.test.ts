/**
 * The server's clock jumps by an hour: the line does not depend on it, and nothing waits for it.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { queueDueNotifications } from '../../server/notifications/queue-due-notifications.ts';
import { type MailApp, openMailApp } from '../mail/mail-app.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { engines } from '../support/engines.ts';
import { moveClock } from '../support/moved-clock.ts';

const HOUR_MS = 3_600_000;
const MOVES = [HOUR_MS, -HOUR_MS, 0];
/** Enough for mail to be leaving, at the rate below, when the clock moves. */
const JOINS = 6;

let app: MailApp;

describe.each(engines)('a clock that jumps an hour forward and back, on %s', (engine) => {
  afterEach(async () => {
    moveClock(0);
    await app.remove();
  });

  test('changes neither the line, nor kept answers, nor who is mailed what', async () => {
    app = await openMailApp(engine, { settings: { mailRate: 8, isLimiting: true } });
    const inviter = await app.join('inviter@example.com');
    const first = await joinWithKey('keyed@example.com', inviter.referral_code);
    expect(first.statusCode).toBe(201);
    await confirmEverybody(app.database);
    expect(await queueDueNotifications(app.database, { brand })).toEqual({ queued: 1 });
    const order = [(await app.join('before@example.com')).id];
    let mails = 4;
    for (const [round, byMs] of MOVES.entries()) {
      for (let index = 0; index < JOINS; index += 1)
        order.push((await app.join(`round${round}-${index}@example.com`)).id);
      moveClock(byMs);
      order.push((await app.join(`moved${round}@example.com`)).id);
      mails += JOINS + 1;
      await app.box.waitFor(mails);

      expect((await joinWithKey('keyed@example.com', inviter.referral_code)).payload).toBe(
        first.payload,
      );
      expect(await queueDueNotifications(app.database, { brand })).toEqual({ queued: 0 });
      expect((await app.fastify.inject({ url: preferencesPath(app) })).statusCode).toBe(200);
    }
    const positions: number[] = [];
    for (const id of order)
      positions.push(
        (await app.fastify.inject({ url: fillPath(apiPaths.status, id) })).json<{
          position: number;
        }>().position,
      );
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(app.box.mails).toHaveLength(mails);
    expect((await verifyLine(app.database)).differences).toEqual([]);
  });

  test('extends no rate limit', async () => {
    app = await openMailApp(engine, { settings: { isLimiting: true } });
    const ask = async () => {
      const headers = { authorization: 'Bearer wrong' };
      return await app.fastify.inject({ url: '/metrics', headers });
    };
    while ((await ask()).statusCode !== 429);
    for (const byMs of MOVES) {
      moveClock(byMs);
      const { statusCode, headers } = await ask();
      if (statusCode === 429) expect(Number(headers['retry-after'])).toBeLessThanOrEqual(120);
      else expect(statusCode).toBe(401);
    }
  });
});

const joinWithKey = (email: string, code: string) =>
  app.fastify.inject({
    method: 'POST',
    url: apiPaths.join,
    headers: { 'idempotency-key': 'one-join' },
    payload: { email, referred_by: code },
  });

/** From the footer link of the first mail. */
function preferencesPath({ box }: MailApp): string {
  const text = (box.mails[0]?.raw ?? '').replaceAll('=\r\n', '');
  return fillPath(mailPagePaths.preferences, /\/preferences\/([\w-]{40,})/.exec(text)?.[1] ?? '');
}
