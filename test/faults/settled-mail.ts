/** The end of a server's mail queue. */
import { setTimeout as delay } from 'node:timers/promises';
import { readMetrics } from '../support/operator-call.ts';
import { withClient } from '../support/with-client.ts';

/** On PostgreSQL a dead server's heartbeat must time out first. */
const DEADLINE_MS = 300_000;

/**
 * Waits until the queue has no mail left, so that none can come twice; a server that stops finishes
 * what it is sending. The mails of a killed server stay active for a while on PostgreSQL.
 */
export async function untilMailIsSettled(
  url: string,
  { dataDir, databaseUrl }: { readonly dataDir: string; readonly databaseUrl: string | null },
): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (
    (await (databaseUrl === null ? countWaiting(url, dataDir) : countUnfinished(databaseUrl))) > 0
  ) {
    if (Date.now() > deadline) throw new Error('Mail is still waiting.');
    await delay(100);
  }
}

async function countWaiting(url: string, dataDir: string): Promise<number> {
  const metrics = await readMetrics(url, dataDir);
  return Number(/^waitlist_mails_waiting (\d+)$/m.exec(metrics)?.[1]);
}

function countUnfinished(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `select (select count(*)::int from pgboss.job where name = 'mail' and state <= 'active')
        + (select count(*)::int from mail_outbox) as jobs`,
    );
    return rows[0]?.jobs;
  });
}

/**
 * Makes the heartbeats of a dead server time out at once, instead of after 20 seconds. The long
 * retry delay proves that the crash does not cause the back-off of a refusal.
 */
export async function expireHeartbeats(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query(
      `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute', retry_delay = 1800
        where name = 'mail' and state = 'active'`,
    ),
  );
}
