import { PgBoss } from 'pg-boss';
import type { RunSql } from '../database.ts';

export const MAIL_QUEUE = 'mail';

const DAY_S = 24 * 3600;

export const KEEP_UNDELIVERED_S = 30 * DAY_S;

const MAIL_QUEUE_OPTIONS = {
  // A table of its own keeps a hundred thousand mails from delaying other queues.
  partition: true,
  // The sender gives up by time, not by number.
  retryLimit: 10_000,
  retryDelay: 15,
  retryBackoff: true,
  retryDelayMax: 1800,
  // After years offline, mails are given up with a log line instead of deleted.
  retentionSeconds: 3650 * DAY_S,
  deleteAfterSeconds: 3 * DAY_S,
  expireInSeconds: 3600,
  heartbeatSeconds: 20,
};

/** "If not exists" would wait for every transaction that queues mail. */
const INDEXES = `do $$ begin
  if to_regclass('pgboss.job_member') is null then
    create index job_member on pgboss.job (((data->>'memberId')::uuid));
  end if;
  if to_regclass('pgboss.job_undelivered') is null then
    create index job_undelivered on pgboss.job (completed_on, id)
      where output->>'outcome' in ('refused', 'given_up');
  end if;
end $$`;

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
