import type { FastifyBaseLogger } from 'fastify';
import { consolePaths } from '../../contract/operator/paths.ts';
import { readOperators } from '../access/operator-store.ts';
import type { Database } from '../db/database.ts';
import { logFailure } from '../http/request-log.ts';
import type { OperatorMailer } from '../mail/delivery/direct-mail.ts';

export type OwnerMailOptions = {
  readonly database: Database;
  readonly mail: OperatorMailer;
  readonly brandName: string;
  readonly publicUrl: string;
  readonly log: Pick<FastifyBaseLogger, 'debug' | 'warn' | 'error'>;
};

type Words = Readonly<Record<'subject' | 'before' | 'after', string>>;

/** One mail to each owner, with a link to the console. A failure is logged. */
export async function mailOwners(
  { database, brandName, publicUrl, mail, log }: OwnerMailOptions,
  { subject, ...words }: Words,
): Promise<void> {
  const operators = await readOperators(database.kysely);
  const link = publicUrl + consolePaths.home;
  for (const { email } of operators.filter(({ role }) => role === 'owner'))
    try {
      await mail.sendToOperator({ email, subject: `${brandName}: ${subject}`, link, ...words });
    } catch (error) {
      logFailure(log, 'warn', error, 'owners were not mailed');
    }
}
