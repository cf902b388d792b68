/** Installs the tables of pg-boss, the mail queue, in their own schema. */
import { PgBoss } from 'pg-boss';
import type { RunSql } from '../database.ts';

export const MAIL_QUEUE = 'mail';

const DAY_S = 24 * 3600;

/** A queued mail is tried for this time. */
export const GIVE_UP_AFTER_MS = DAY_S * 1000;

/** Operators can see an undelivered mail for this time. */
export const KEEP_UNDELIVERED_S = 30 * DAY_S;

const MAIL_QUEUE_OPTIONS = {
  // The queue has its own table, so that a hundred thousand mails delay nothing else.
  partition: true,
  // The sender gives up by time, not by number.
  retryLimit: 10_000,
  retryDelay: 15,
  retryBackoff: true,
  retryDelayMax: 1800,
  // After days offline, mails are given up with a log line instead of deleted.
  retentionSeconds: 14 * DAY_S,
  deleteAfterSeconds: 3 * DAY_S,
  // A live server needs less for the mails it holds, however slow the mail server.
  expireInSeconds: 3600,
  /** Mails of a dead server are released after this. */
  heartbeatSeconds: 20,
};

/**
 * Indexes for the mails of one member, and for undelivered ones. They are looked up first, because
 * "if not exists" would wait for every transaction that queues mail.
 */
const INDEXES = `do $$ begin
  if to_regclass('pgboss.job_member') is null then
    create index job_member on pgboss.job (((data->>'memberId')::uuid));
  end if;
  if to_regclass('pgboss.job_undelivered') is null then
    create index job_undelivered on pgboss.job (completed_on, id)
      where output->>'outcome' in ('refused', 'given_up');
  end if;
end $$`;

/** Several servers may start at once: pg-boss locks what it changes. */
export async function installQueue(runSql: RunSql): Promise<void> {
  const boss = new PgBoss({ db: { executeSql: runSql }, supervise: false, schedule: false });
  boss.on('error', () => {}); // start and createQueue throw their own errors.
  await boss.start();
  try {
    const { partition, ...changeable } = MAIL_QUEUE_OPTIONS;
    if (await boss.getQueue(MAIL_QUEUE)) await boss.updateQueue(MAIL_QUEUE, changeable);
    else await boss.createQueue(MAIL_QUEUE, { partition, ...changeable });
    await runSql(INDEXES);
  } finally {
    await boss.stop({ graceful: false });
  }
}
