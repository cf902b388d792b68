import type { MemberMail } from '../../../contract/operator/mails.ts';
import type { Database } from '../../db/database.ts';
import { readEmail } from '../../mail/email-rules.ts';
import { readSuppression } from '../../mail/suppression/store.ts';
import { readMailJobs } from '../../members/links/store.ts';

/** Whether a member is mailed, and their mails of the last days, oldest first, for the operator. */
export async function getMemberMail(
  database: Database,
  secretKey: string,
  { id, email }: { id: string; email: string },
): Promise<MemberMail> {
  const suppression = await readSuppression(
    database,
    secretKey,
    readEmail(email)?.identity ?? email,
  );
  const jobs = await readMailJobs(database, id);
  return {
    state: suppression?.reason ?? 'sending',
    since: suppression?.since.toISOString() ?? null,
    mails: jobs.map((job) => ({
      kind: job.kind,
      queued_at: job.created_on.toISOString(),
      ended_at: job.completed_on?.toISOString() ?? null,
      state: job.outcome === null || job.completed_on === null ? 'waiting' : job.outcome,
      cause: job.cause,
    })),
  };
}
