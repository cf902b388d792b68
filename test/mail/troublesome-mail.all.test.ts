/** One mail in trouble never holds up the others. */
import { sql } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { confirmMember } from '../../server/line/change-member.ts';
import { oneEngine } from '../support/engines.ts';
import { type MailApp, openMailApp } from './mail-app.ts';

const OTHERS = 12;
const PATIENT = { timeout: 60_000 };

let app: MailApp;
afterEach(() => app.remove());

describe.each(oneEngine)('on %s', (engine) => {
  test('a mail that cannot be composed fails by itself, and is given up after a day', async () => {
    app = await openMailApp(engine, { settings: { mailRate: 20 } });
    const { id } = await app.join('ada@example.com');
    await app.waitForOutcome('sent', 1);
    await confirmMember(app.database, { memberId: id });
    const riddle = JSON.stringify({ kind: 'riddle', memberId: id });
    await sql`select queue_mails(array[${riddle}::jsonb])`.execute(app.database.kysely);
    await app.waitForOutcome('later', 2);
    await app.join('grace@example.com');
    await app.waitForOutcome('sent', 2);
    expect(app.logged()).toContain('mail cannot be composed');
    expect(app.logged()).not.toContain(id);
    // Again and again: pg-boss puts a failed job back as a new row, which misses an update.
    await vi.waitUntil(async () => {
      await sql`
        update pgboss.job set created_on = now() - interval '25 hours'
        where data->>'kind' = 'riddle' and state < 'completed'
      `.execute(app.database.kysely);
      return (await app.outcomes()).given_up === 1;
    }, PATIENT);
    expect(app.logged()).toContain('"kind":"riddle","outcome":"given_up"');
    const { rows } = await sql<{ retries: number; state: string }>`
      select retry_count as retries, state::text from pgboss.job where data->>'kind' = 'riddle'
    `.execute(app.database.kysely);
    expect(rows).toMatchObject([{ state: 'completed' }]);
    expect(rows[0]?.retries).toBeGreaterThan(1);
  });

  test('a slow conversation with the mail server idles no other connection', async () => {
    const slow = Promise.withResolvers<undefined>();
    app = await openMailApp(engine, {
      react: (moment, address) =>
        moment === 'recipient' && address.startsWith('slow') ? slow.promise : undefined,
    });
    await app.join('slow@example.com');
    for (let index = 0; index < OTHERS; index += 1) await app.join(`ghost${index}@example.com`);
    await app.waitForOutcome('sent', OTHERS);
    expect(await app.outcomes()).toEqual({ sent: OTHERS });
    slow.resolve(undefined);
    await app.waitForOutcome('sent', OTHERS + 1);
  });
});
