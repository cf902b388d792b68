/** Checks that each member got one welcome, by the received mails and by the queue. */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Member } from '../../contract/schemas.ts';
import type { ArrivedMail } from './mail-sink.ts';

export type MailVerdict = {
  readonly arrived: number;
  /** Members without a welcome at their address. */
  readonly missing: number;
  /** Further welcomes with another Message-ID, which readers see twice. */
  readonly doubled: number;
  /** Mails that came again with the same Message-ID. */
  readonly repeated: number;
  /** Mails that are not in the database. */
  readonly unknown: number;
};

const DEADLINE_MS = 150_000;

/** Waits until every mail has left. Jobs of a killed server take a while. */
export async function judgeMail(
  databaseUrl: string,
  { members, mails }: { members: readonly Member[]; mails: readonly ArrivedMail[] },
): Promise<MailVerdict> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await untilAllLeft(client);
    const { rows } = await client.query<{ id: string; kind: string; member: string }>(
      `select id, data->>'kind' as kind, data->>'memberId' as member
       from pgboss.job where name = 'mail'`,
    );
    const arrivedBy = Map.groupBy(mails, ({ messageId }) => messageId.replace(/^<|@.*$/g, ''));
    const known = new Set(rows.map(({ id }) => id));
    const welcomes = Map.groupBy(
      rows.filter(({ id, kind }) => kind === 'welcome' && arrivedBy.has(id)),
      ({ member }) => member,
    );
    const isWelcomed = ({ id, email }: Member) =>
      (welcomes.get(id) ?? []).some((job) =>
        arrivedBy.get(job.id)?.every(({ to }) => to === email),
      );
    return {
      arrived: mails.length,
      missing: members.filter((member) => !isWelcomed(member)).length,
      doubled: [...welcomes.values()].reduce((sum, jobs) => sum + jobs.length - 1, 0),
      repeated: mails.length - arrivedBy.size,
      unknown: [...arrivedBy.keys()].filter((id) => !known.has(id)).length,
    };
  } finally {
    await client.end();
  }
}

async function untilAllLeft(client: pg.Client): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const { rows } = await client.query(
      `select (select count(*)::int from pgboss.job where name = 'mail' and state <= 'active')
      + (select count(*)::int from mail_outbox) as jobs`,
    );
    if (rows[0]?.jobs === 0) return;
    if (Date.now() > deadline) throw new Error(`${rows[0]?.jobs} mails have not left.`);
    await delay(250);
  }
}
