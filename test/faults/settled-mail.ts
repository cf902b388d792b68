/** The end of a server's mail queue. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

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
  const token = readFileSync(join(dataDir, 'operator-token'), 'utf8').trim();
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  return Number(/^waitlist_mails_waiting (\d+)$/m.exec(await answer.text())?.[1]);
}

async function countUnfinished(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `select (select count(*)::int from pgboss.job where name = 'mail' and state <= 'active')
      + (select count(*)::int from mail_outbox) as jobs`,
  );
  await client.end();
  return rows[0]?.jobs;
}
