/** Kills a server at a chosen point between a join's commit and the settlement of its mail. */

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import {
  createMigratedPlace,
  type DatabasePlace,
  type Engine,
  oneEngine,
} from '../support/engines.ts';
import { startServer } from '../support/server-process.ts';
import {
  headerOf,
  type Mailbox,
  type Moment,
  type ReceivedMail,
  startMailbox,
} from '../support/smtp-mailbox.ts';
import { isLong } from '../support/test-form.ts';
import { settingsOf } from './backup-commands.ts';
import { joinOverHttp } from './join-load.ts';
import { expireHeartbeats, untilMailIsSettled } from './settled-mail.ts';

/** In order: after the commit, then the steps of the SMTP conversation before the final 250. */
const KILL_POINTS = ['committed', 'connect', 'sender', 'recipient', 'data', 'received'] as const;
type KillPoint = (typeof KILL_POINTS)[number];

type MailKill = {
  readonly acknowledged: number;
  /** Addresses that joined and got no mail. */
  readonly missing: number;
  /** Mails that came twice with one Message-ID. */
  readonly repeated: number;
  /** Mails that came more than twice, or with different Message-IDs. */
  readonly unexplained: number;
};

const MEMBERS = 3;
/** More than a server sends without settling, and no more than it holds. */
const QUEUED = 30;
const POLL_MS = 20;
/** For a server that did not stop at its bound: it sends all that it holds in a tenth of this. */
const MORE_WOULD_COME_MS = 1_000;

async function killWhileMailing(engine: Engine, point: KillPoint): Promise<MailKill> {
  const place = await createMigratedPlace(engine);
  let isKilled = false;
  let kill = async () => {};
  const box = await startMailbox({
    async react(moment: Moment) {
      if (moment === point && !isKilled) await kill();
      return undefined;
    },
  });
  const settings = mailingBy(place, box);
  const victim = await startServer(settings);
  const killed = Promise.withResolvers<void>();
  kill = async () => {
    isKilled = true;
    await victim.kill();
    killed.resolve();
  };
  const emails: string[] = [];
  for (let index = 0; index < MEMBERS; index += 1) {
    const email = `ghost${index}@example.com`;
    // The kill may come between two joins.
    const answer = await joinOverHttp(victim.url, email, null).catch(() => null);
    if (answer?.status === 201) emails.push(email);
  }
  if (point === 'committed') await kill();
  await killed.promise;
  if (!isLong && place.databaseUrl !== null) await expireHeartbeats(place.databaseUrl);

  await outlive(settings, place);
  await box.close();
  await place.remove();
  return countMails(box.mails, emails);
}

/** On PostgreSQL, where another client can keep the server from settling what it has sent. */
async function killWhileUnsettled(): Promise<MailKill> {
  const place = await createMigratedPlace('postgres');
  const databaseUrl = place.databaseUrl ?? '';
  const proceed = Promise.withResolvers<undefined>();
  let isHeld = false;
  const box = await startMailbox({
    react: (moment) => (isHeld && moment === 'sender' ? proceed.promise : undefined),
  });
  const settings = mailingBy(place, box);
  const victim = await startServer(settings);
  const emails = Array.from({ length: QUEUED }, (_, index) => `ghost${index}@example.com`);
  for (const email of emails) await joinOverHttp(victim.url, email, null);
  await untilMailIsSettled(victim.url, place);
  const welcomes = box.mails.length;
  isHeld = true;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    select queue_mails(array_agg(jsonb_build_object('kind', 'status-link', 'memberId', id)))
    from member`);
  while ((await countHeld(client)) < QUEUED) await delay(POLL_MS);
  await client.query('begin; lock table pgboss.job in share mode');
  proceed.resolve(undefined);
  await box.waitFor(welcomes + 1);
  await delay(MORE_WOULD_COME_MS);
  await victim.kill();
  // Otherwise its connections would settle what they were asked to, once the lock is gone.
  await client.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  await client.end();
  if (!isLong) await expireHeartbeats(databaseUrl);
  await outlive(settings, place);
  await box.close();
  await place.remove();
  return countMails(box.mails.slice(welcomes), emails);
}

const mailingBy = (place: DatabasePlace, box: Mailbox) => ({
  ...settingsOf(place),
  LIMITS: 'off',
  MAIL_RATE: '1000',
  SMTP_URL: box.url,
});

/** A new server sends what the killed one left. */
async function outlive(settings: Record<string, string>, place: DatabasePlace): Promise<void> {
  const survivor = await startServer(settings);
  await untilMailIsSettled(survivor.url, place);
  await survivor.stop();
}

function countMails(mails: readonly ReceivedMail[], emails: readonly string[]): MailKill {
  const idsOf = (email: string) =>
    mails.filter(({ to }) => to.includes(email)).map((mail) => headerOf(mail, 'Message-ID'));
  const received = emails.map(idsOf);
  return {
    acknowledged: emails.length,
    missing: received.filter((ids) => ids.length === 0).length,
    repeated: received.filter((ids) => ids.length === 2 && new Set(ids).size === 1).length,
    unexplained: received.filter((ids) => ids.length > 2 || new Set(ids).size > 1).length,
  };
}

async function countHeld(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ jobs: number }>(
    `select count(*)::integer as jobs from pgboss.job where name = 'mail' and state = 'active'`,
  );
  return rows[0]?.jobs ?? 0;
}

/** `npm run faults` cycles through all points for 20 trials. */
const FULL = Array.from(
  { length: 20 },
  (_, index) => KILL_POINTS[index % KILL_POINTS.length] ?? 'committed',
);
/** Before any conversation with the mail server; the test below kills after the mail. */
const SHORT = ['committed'] as const;

/** Each of the five connections repeats two at the most. */
const MAX_REPEATED = 10;

describe.concurrent.each(oneEngine)(
  'a server on %s killed between a join\'s commit and "250 OK"',
  (engine) => {
    test.each(isLong ? FULL : SHORT)(
      'at "%s" loses no mail, and repeats one only with the same Message-ID',
      async (point) => {
        const { acknowledged, missing, repeated, unexplained } = await killWhileMailing(
          engine,
          point,
        );
        if (isLong)
          console.log(
            `${engine}, ${point}: ${acknowledged} acknowledged, ` +
              `${missing} missing, ${repeated} repeated`,
          );
        expect(acknowledged).toBeGreaterThan(0);
        expect({ missing, unexplained }).toEqual({ missing: 0, unexplained: 0 });
      },
    );
  },
);

test('a server killed before anything is settled repeats two mails a connection', async () => {
  const { missing, repeated, unexplained } = await killWhileUnsettled();
  expect({ missing, unexplained }).toEqual({ missing: 0, unexplained: 0 });
  expect(repeated).toBeGreaterThan(0);
  expect(repeated).toBeLessThanOrEqual(MAX_REPEATED);
});
