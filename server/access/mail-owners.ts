import { consolePaths } from '../../contract/operator/paths.ts';
import { logFailure } from '../http/request-log.ts';
import type { OperatorMailer } from '../mail/delivery/direct-mail.ts';
import type { Platform } from '../module.ts';
import { readOperators } from './operator-store.ts';

export type OwnerMailOptions = Pick<Platform, 'database' | 'log'> & {
  readonly mail: OperatorMailer;
  readonly brandName: string;
  readonly publicUrl: string;
};

type Words = Readonly<Record<'subject' | 'before' | 'after', string>> & {
  readonly page?: string;
  readonly failure?: string;
};

export async function mailOwners(
  { database, brandName, publicUrl, mail, log }: OwnerMailOptions,
  { subject, page = consolePaths.home, failure = 'owners were not mailed', ...words }: Words,
): Promise<number> {
  const operators = await readOperators(database.kysely);
  const link = publicUrl + page;
  let sent = 0;
  for (const { email } of operators.filter(({ role }) => role === 'owner'))
    try {
      await mail.sendToOperator({ email, subject: `${brandName}: ${subject}`, link, ...words });
      sent += 1;
    } catch (error) {
      logFailure(log, 'warn', error, failure);
    }
  return sent;
}
