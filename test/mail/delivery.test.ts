import { createServer } from 'node:net';
import { sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import { test as base, describe, expect, vi } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { type Engine, oneEngine } from '../support/engines.ts';
import { headerOf, type Moment } from '../support/smtp-mailbox.ts';
import { isAll, isLong } from '../support/test-form.ts';
import { type MailApp, type MailAppOptions, openMailApp } from './mail-app.ts';

type OpenApp = (engine: Engine, options?: MailAppOptions) => Promise<MailApp>;

/** Each test has its own apps: they run at the same time. */
const test = base.extend<{ openApp: OpenApp }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures from the pattern.
  openApp: async ({}, use) => {
    const opened: MailApp[] = [];
    await use(async (engine, options) => {
      const app = await openMailApp(engine, options);
      opened.push(app);
      return app;
    });
    for (const app of opened) await app.remove();
  },
});

/** Moves a column of all rows into the past. */
async function age(
  { database }: MailApp,
  table: 'member' | 'status_link_sent' | 'pgboss.job',
  column: string,
  interval: string,
) {
  await sql`
    update ${sql.table(table)}
    set ${sql.ref(column)} = ${sql.ref(column)} - ${interval}::interval
  `.execute(database.kysely);
}

describe.concurrent.each(oneEngine)('mail on %s', (engine) => {
  test('a join brings one mail with position, status link and invite link', async ({ openApp }) => {
    const app = await openApp(engine);
    const member = await app.join('Ada@Example.com');
    await app.waitForOutcome('sent', 1);
    const [mail, ...more] = app.box.mails;
    expect(more).toEqual([]);
    expect(mail?.to).toEqual(['Ada@example.com']);
    const text = (mail?.raw ?? '').replace(/=\r\n/g, '');
    expect(text).toContain(`https://line.example.com/thank-you/${member.id}`);
    expect(text).toContain(`https://line.example.com/invite/${member.referral_code}`);
    expect(text).toContain('Ghost #1');
  });

  test('a known address gets its status link once a day, not after a welcome', async ({
    openApp,
  }) => {
    const app = await openApp(engine);
    const { id } = await app.join('ada@example.com');
    const joinAgain = (email: string) =>
      app.fastify.inject({
        method: 'POST',
        url: '/api/waitlist/join',
        payload: { email, referred_by: null },
      });
    await app.waitForOutcome('sent', 1);
    expect((await joinAgain('ada@example.com')).statusCode).toBe(409);
    await age(app, 'member', 'joined_at', '11 minutes');
    const answers = await Promise.all(
      ['ada@example.com', 'ADA@example.com', 'ada@EXAMPLE.com'].map(joinAgain),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([409, 409, 409]);
    await age(app, 'status_link_sent', 'sent_at', '23 hours');
    expect((await joinAgain('ada@example.com')).statusCode).toBe(409);
    await app.waitForOutcome('sent', 2);
    await app.untilQueueIsEmpty();
    expect(app.box.mails).toHaveLength(2);
    expect((app.box.mails[1]?.raw ?? '').replace(/=\r\n/g, '')).toContain(`/thank-you/${id}`);
  });

  test('a job queued by SQL equals one queued by pg-boss', async ({ openApp }) => {
    const app = await openApp(engine, { settings: { mailRate: 0.1 } });
    const data = { kind: 'friends', memberId: '6b1f8a52-5a0e-4c0f-9d6c-0f6d2f1f7a01' };
    const boss = new PgBoss({
      db: { executeSql: app.database.runSql },
      supervise: false,
      schedule: false,
    });
    await boss.start();
    await app.database.kysely.transaction().execute(async (transaction) => {
      // In one transaction, so that both have the same time and are not taken.
      await boss.send('mail', data, { db: fromKysely(transaction) });
      await sql`select queue_mails(array[${JSON.stringify(data)}::jsonb])`.execute(transaction);
      const { rows } = await sql<
        Record<string, unknown>
      >`select * from pgboss.job where name = 'mail'`.execute(transaction);
      const [ours, theirs] = rows.map(({ id: _id, ...columns }) => columns);
      expect(rows).toHaveLength(2);
      expect(ours).toEqual(theirs);
    });
    await boss.stop({ graceful: false });
  });

  test.for<[string, Moment, number]>([
    ['refused at the recipient', 'recipient', 451],
    ['refused after the content', 'received', 452],
  ])(
    'a mail %s with a 4xx is retried with the same Message-ID',
    async ([_what, moment, code], { openApp }) => {
      let refusals = 0;
      const app = await openApp(engine, {
        react: (at) => (at === moment && ++refusals <= 2 ? code : undefined),
      });
      await app.join('ada@example.com');
      await app.waitForOutcome('sent', 1);
      expect((await app.outcomes()).later).toBe(2);
      const ids = new Set(app.box.mails.map((mail) => headerOf(mail, 'Message-ID')));
      expect(ids.size).toBe(1);
      expect([...ids][0]).toMatch(/^<[0-9a-f-]{36}@line\.example\.com>$/);
    },
  );

  test.for<[string, Moment, number, string]>([
    ['the recipient', 'recipient', 550, '5.1.1'],
    ['the content', 'received', 554, '5.6.0'],
  ])(
    'a 5xx to %s is counted, logged without the address, and not retried',
    async ([_what, moment, code, status], { openApp }) => {
      let tries = 0;
      const app = await openApp(engine, {
        react: (at, address) =>
          at === moment && ++tries > 0 ? `${code} ${status} <${address}> refused` : undefined,
      });
      const { id, referral_code } = await app.join('ada.lovelace@example.com');
      await app.waitForOutcome('refused', 1);
      await app.untilQueueIsEmpty();
      expect(tries).toBe(1);
      expect(app.logged()).toContain('mail not delivered, giving up');
      expect(app.logged()).toContain(`"responseCode":${code}`);
      const refused = code === 550 ? 'recipient refused' : 'content refused';
      expect(app.logged()).toContain(`"cause":"${refused}"`);
      expect(await app.listMails(operatorPaths.failedMails)).toMatchObject([
        {
          kind: 'welcome',
          member: { id, email: 'ada.lovelace@example.com' },
          attempts: 1,
          outcome: 'refused',
          cause: refused,
          response_code: code,
        },
      ]);
      for (const secret of ['lovelace', id, referral_code])
        expect(app.logged().toLowerCase()).not.toContain(secret.toLowerCase());
      const { rows } = await sql<{ row: string; days: number }>`
        select job::text as row, (deletion_seconds / 86400)::integer as days from pgboss.job
      `.execute(app.database.kysely);
      expect(rows.map(({ row }) => row).join()).not.toContain('lovelace');
      expect(rows.map(({ days }) => days)).toEqual([30]);
    },
  );

  test.runIf(isAll)(
    'mail refused with 421 leaves soon after the server accepts connections again',
    async ({ openApp }) => {
      let isOpen = false;
      let refused = 0;
      const app = await openApp(engine, {
        react(at) {
          if (at !== 'connect' || isOpen) return undefined;
          refused += 1;
          return 421;
        },
      });
      await sql`update pgboss.queue set retry_delay = 1800 where name = 'mail'`.execute(
        app.database.kysely,
      );
      await app.join('ada@example.com');
      await app.waitForOutcome('later', 1);
      await app.join('grace@example.com');
      const refusedBefore = refused;
      await vi.waitUntil(() => refused > refusedBefore + 1, { timeout: 60_000 });
      expect(await app.outcomes()).toEqual({ later: 1 });
      expect(await app.listMails(operatorPaths.waitingMails)).toMatchObject([
        { member: { email: 'ada@example.com' }, attempts: 1, cause: 'service not available' },
        { member: { email: 'grace@example.com' }, attempts: 0, next_at: null, cause: null },
      ]);
      expect(app.logged()).toMatch(/"level":40,.*"service not available".*"responseCode":421/);
      isOpen = true;
      await app.waitForOutcome('sent', 2);
      expect(app.logged()).toMatch(/"level":40,.*"mail delivery works again"/);
      expect(await app.listMails(operatorPaths.waitingMails)).toEqual([]);
      expect(app.box.mails.flatMap(({ to }) => to).sort()).toEqual([
        'ada@example.com',
        'grace@example.com',
      ]);
    },
  );

  test('a mail is resent after the server drops the connection in mid-content', async ({
    openApp,
  }) => {
    let cuts = 0;
    const relay = createServer((client) => {
      let seen = '';
      client.write('220 relay\r\n');
      client.on('error', () => {});
      client.on('data', (chunk) => {
        seen += String(chunk);
        if (cuts < 2 && /\nSubject:/.test(seen)) {
          cuts += 1;
          client.destroy();
        } else if (seen.endsWith('\r\n.\r\n')) client.write('250 taken\r\n');
        else if (/DATA\r\n$/.test(seen)) client.write('354 go on\r\n');
        else if (!/DATA\r\n/.test(seen)) client.write('250 ok\r\n');
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => relay.once('listening', resolve));
    const address = relay.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const app = await openApp(engine, { settings: { smtpUrl: `smtp://127.0.0.1:${port}` } });
    await app.join('ada@example.com');
    await app.waitForOutcome('sent', 1);
    expect((await app.outcomes()).later).toBe(2);
    relay.close();
  });

  test('mails leave no faster than the configured rate, even from two servers', async ({
    openApp,
  }) => {
    const times: number[] = [];
    const app = await openApp(engine, {
      react(moment) {
        if (moment === 'sender') times.push(performance.now());
        return undefined;
      },
      settings: { mailRate: 20 },
    });
    const second = engine === 'postgres' ? await app.openAnother() : null;
    const since = performance.now();
    await Promise.all(
      Array.from({ length: 24 }, (_, index) => app.join(`ghost${index}@example.com`)),
    );
    await app.box.waitFor(24);
    await second?.close();
    // Slots are 50 ms apart and the first is after the joins began: no mail leaves before its own,
    // however late others are on a busy machine. The clocks may round.
    const early = times.filter((at, index) => at - since < index * 50 - 1);
    expect(early).toEqual([]);
    expect((times.at(-1) ?? 0) - since).toBeGreaterThan(23 * 50 - 1);
  });

  test('a member who left before the mail went out gets none', async ({ openApp }) => {
    const app = await openApp(engine, { settings: { mailRate: 0.5 } });
    const [first, second] = [
      await app.join('first@example.com'),
      await app.join('second@example.com'),
    ];
    expect(first.id).not.toBe(second.id);
    await sql`delete from member where id = ${second.id}`.execute(app.database.kysely);
    await app.box.waitFor(1);
    await app.untilQueueIsEmpty();
    expect(app.box.mails.flatMap(({ to }) => to)).toEqual(['first@example.com']);
  });
});

// Not concurrent, because it is timed.
describe.each(oneEngine)('a hanging mail server, on %s', (engine) => {
  test('delays neither joins nor shutdown', async ({ openApp }) => {
    const app = await openApp(engine, {
      react: (at) => (at === 'recipient' ? new Promise(() => {}) : undefined),
    });
    for (let index = 0; index < 8; index += 1) await app.join(`ghost${index}@example.com`);
    const startedAt = Date.now();
    await app.fastify.close();
    if (isLong) expect(Date.now() - startedAt).toBeLessThan(9_000);
    expect(app.box.mails).toEqual([]);
  });
});
