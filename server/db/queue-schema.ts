/** The tables of pg-boss, which keeps the queue of mail: in its own schema, installed and brought up to date like ours at every start. */
import { PgBoss } from 'pg-boss';
import type { RunSql } from './run-sql.ts';

export const MAIL_QUEUE = 'mail';

const DAY_S = 24 * 3600;

/** How long after its joining the queue a mail is still tried. */
export const GIVE_UP_AFTER_MS = DAY_S * 1000;

const MAIL_QUEUE_OPTIONS = {
  // A table of its own, so that a hundred thousand mails are in nobody's way.
  partition: true,
  // By time, not by number: mail that is not delivered is given up after a day by the sender.
  retryLimit: 10_000,
  retryDelay: 15,
  retryBackoff: true,
  retryDelayMax: 1800,
  // Longer than a day, so that after days of standing still mails are given up aloud rather than deleted in silence.
  retentionSeconds: 14 * DAY_S,
  deleteAfterSeconds: 3 * DAY_S,
  expireInSeconds: 600,
  /** Of a server that died, mails are free again for others after this. */
  heartbeatSeconds: 20,
};

/** Several servers may start at once: pg-boss takes a lock for what it changes. */
export async function installQueue(runSql: RunSql): Promise<void> {
  const boss = new PgBoss({ db: { executeSql: runSql }, supervise: false, schedule: false });
  boss.on('error', () => {}); // What start and createQueue are refused is thrown by them.
  await boss.start();
  try {
    const { partition, ...changeable } = MAIL_QUEUE_OPTIONS;
    if (await boss.getQueue(MAIL_QUEUE)) await boss.updateQueue(MAIL_QUEUE, changeable);
    else await boss.createQueue(MAIL_QUEUE, { partition, ...changeable });
  } finally {
    await boss.stop({ graceful: false });
  }
}
