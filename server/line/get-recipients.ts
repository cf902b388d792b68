import type { Database } from '../db/database.ts';
import { deliverableAddress, readEmail } from '../mail/email-rules.ts';
import { readRecipients } from './store.ts';

type RecipientRow = Awaited<ReturnType<typeof readRecipients>>[number];
export type Recipient = Omit<RecipientRow, 'email'> & {
  readonly address: string;
  readonly identity: string;
};

export async function getRecipients(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, Recipient>> {
  const rows = await readRecipients(database, ids);
  return new Map(
    rows.map(({ email, ...row }) => {
      const identity = readEmail(email)?.identity ?? email;
      return [row.id, { ...row, address: deliverableAddress(email), identity }];
    }),
  );
}
