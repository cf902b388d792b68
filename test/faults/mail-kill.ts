/** Kills a server at a chosen point between a join's commit and the mail server's "250 OK". */
import pg from 'pg';
import { createMigratedPlace, type Engine } from '../support/engines.ts';
import { startServer } from '../support/server-process.ts';
import { headerOf, type Moment, startMailbox } from '../support/smtp-mailbox.ts';
import { joinOverHttp } from './join-load.ts';
import { untilMailIsSettled } from './settled-mail.ts';

/** In order: after the commit, then the steps of the SMTP conversation before the final 250. */
export const KILL_POINTS = [
  'committed',
  'connect',
  'sender',
  'recipient',
  'data',
  'received',
] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

export type MailKill = {
  readonly point: KillPoint;
  readonly acknowledged: number;
  /** Addresses that joined and got no mail. */
  readonly missing: number;
  /** Mails that came twice with one Message-ID. */
  readonly repeated: number;
  /** Mails that came more than twice, or with different Message-IDs. */
  readonly unexplained: number;
};

const isFull = process.env.FAULTS === 'full';
const MEMBERS = 3;

export async function killWhileMailing(engine: Engine, point: KillPoint): Promise<MailKill> {
  const place = await createMigratedPlace(engine);
  let isKilled = false;
  let kill = async () => {};
  const box = await startMailbox({
    async react(moment: Moment) {
      if (moment === point && !isKilled) await kill();
      return undefined;
    },
  });
  const settings = {
    DATA_DIR: place.dataDir,
    LIMITS: 'off',
    MAIL_RATE: '1000',
    SMTP_URL: box.url,
    ...(place.databaseUrl !== null && { DATABASE_URL: place.databaseUrl }),
  };
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
  if (!isFull && place.databaseUrl !== null) await expireHeartbeats(place.databaseUrl);

  const survivor = await startServer(settings);
  await untilMailIsSettled(survivor.url, place);
  await survivor.stop();
  await box.close();
  await place.remove();

  const idsOf = (email: string) =>
    box.mails.filter(({ to }) => to.includes(email)).map((mail) => headerOf(mail, 'Message-ID'));
  const received = emails.map(idsOf);
  return {
    point,
    acknowledged: emails.length,
    missing: received.filter((ids) => ids.length === 0).length,
    repeated: received.filter((ids) => ids.length === 2 && new Set(ids).size === 1).length,
    unexplained: received.filter((ids) => ids.length > 2 || new Set(ids).size > 1).length,
  };
}

/**
 * For the short form: makes the heartbeat time out at once. The long retry delay proves that the
 * crash does not cause the back-off of a refusal.
 */
async function expireHeartbeats(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute', retry_delay = 1800
      where name = 'mail' and state = 'active'`,
  );
  await client.end();
}
