import type { OverviewHealth } from '../../contract/operator/overview.ts';
import { getLastBackup } from '../backup/last-backup.ts';
import { countAvailable } from '../drop/stock/size-rules.ts';
import { listSizes } from '../drop/stock/store.ts';
import { DAY_MS } from '../durations.ts';
import type { CountedEvent } from '../line/funnel/counters.ts';
import { readMailProblem } from '../mail/delivery/mail-stop-store.ts';
import { countSuppressed } from '../mail/suppression/store.ts';
import type { Platform } from '../module.ts';
import type { Mail } from '../notifications/open-mail.ts';
import { describeExamples } from '../site/brand/describe-examples.ts';
import { readDatabaseBytes, readEvents, readTop } from './overview-store.ts';

export async function getHealth(
  { config, brand, database }: Platform,
  mail: Pick<Mail, 'readBacklog'>,
): Promise<OverviewHealth> {
  const now = new Date();
  const sizes = await listSizes(database);
  const { waiting, stuck, oldestSeconds } = await mail.readBacklog();
  const events = await readEvents(database, new Date(now.getTime() - DAY_MS));
  const eventsOf = (event: CountedEvent) => events.get(event) ?? 0;
  const { succeededAt, failedAt } = await getLastBackup(config.dataDir);
  return {
    generated_at: now.toISOString(),
    notices: describeExamples(brand),
    top: await readTop(database, brand.maskCount),
    masks: {
      promised: brand.maskCount,
      available: countAvailable(sizes, brand.maskCount),
      sizes,
    },
    mail: {
      waiting,
      failing: stuck,
      oldest_seconds: oldestSeconds,
      problem: await readMailProblem(config, database),
      sent: eventsOf('mail_sent'),
      kept: eventsOf('mail_kept'),
      later: eventsOf('mail_later'),
      refused: eventsOf('mail_refused'),
      given_up: eventsOf('mail_given_up'),
      ...(await countSuppressed(database)),
    },
    guard: {
      limited: eventsOf('join_limited'),
      proofs_asked: eventsOf('proof_asked'),
      proofs_brought: eventsOf('proof_brought'),
    },
    database: { engine: database.engine, bytes: await readDatabaseBytes(database) },
    backup: { succeeded_at: isoOrNull(succeededAt), failed_at: isoOrNull(failedAt) },
  };
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
