import type { FastifyBaseLogger } from 'fastify';
import { consolePaths } from '../../../contract/operator/paths.ts';
import { readOperators } from '../../access/operator-store.ts';
import type { Database } from '../../db/database.ts';
import { logFailure } from '../../http/request-log.ts';
import type { OperatorMailer } from '../../mail/delivery/direct-mail.ts';
import { describeWaiting } from './digest-rules.ts';
import { readWaiting, returnDigestSlot, takeDigestSlot } from './digest-store.ts';

const EVERY_HOURS = 24;

type DigestOptions = {
  readonly database: Database;
  readonly brandName: string;
  readonly publicUrl: string;
  readonly mail: OperatorMailer;
  readonly log: Pick<FastifyBaseLogger, 'debug' | 'warn' | 'error'>;
};

/**
 * Nothing is mailed when nothing waits. A server that is killed in between may leave a day without
 * a digest, but never two digests in one.
 */
export async function mailDigest(options: DigestOptions): Promise<void> {
  const { database, brandName, publicUrl, mail, log } = options;
  const digest = describeWaiting(await readWaiting(database));
  if (digest === null) return;
  const operators = await readOperators(database.kysely);
  const owners = operators.filter(({ role }) => role === 'owner');
  const slot = owners.length === 0 ? null : await takeDigestSlot(database, EVERY_HOURS);
  if (slot === null) return;
  let sent = 0;
  for (const { email } of owners) {
    try {
      await mail.sendToOperator({
        email,
        subject: `${brandName}: ${digest.subject}`,
        before: digest.text,
        link: publicUrl + consolePaths.credits,
        after: 'This comes once a day while something waits. DIGEST=off switches it off.',
      });
      sent += 1;
    } catch (error) {
      logFailure(log, 'warn', error, 'a digest was not sent');
    }
  }
  if (sent === 0) await returnDigestSlot(database, slot);
}
