/** Installs the tables of pg-boss, the mail queue, in a schema of their own, at every start. */
import { PgBoss } from 'pg-boss';
import type { RunSql } from '../database.ts';

export const MAIL_QUEUE = 'mail';

const DAY_S = 24 * 3600;

/** How long a queued mail is tried. */
export const GIVE_UP_AFTER_MS = DAY_S * 1000;

/** How long the operator can see a mail that never arrived; others are kept for three days. */
export const KEEP_UNDELIVERED_S = 30 * DAY_S;

const MAIL_QUEUE_OPTIONS = {
  // A table of its own, so that a hundred thousand mails are in nobody's way.
  partition: true,
  // By time, not by number: mail that is not delivered is given up after a day by the sender.
  retryLimit: 10_000,
  retryDelay: 15,
  retryBackoff: true,
  retryDelayMax: 1800,
  // Longer than a day: after days offline, mails are given up with a log line, not deleted in
  // silence.
  retentionSeconds: 14 * DAY_S,
  deleteAfterSeconds: 3 * DAY_S,
  // Longer than a live server needs for the mails it holds, however slow the mail server is.
  expireInSeconds: 3600,
  /** Mails held by a dead server are released after this. */
  heartbeatSeconds: 20,
};

/**
 * Our own indexes: the mails of one member, and those that never arrived. Asked for first, because
 * "if not exists" would wait for every transaction that queues mail, and make the next ones wait.
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

/** Several servers may start at once: pg-boss takes a lock for what it changes. */
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
