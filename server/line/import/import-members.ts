import type { MailKind } from '../../../contract/mails.ts';
import type { Transaction } from '../../db/transaction.ts';
import {
  allowTime,
  findImported,
  forgetTakenAndGone,
  insertImported,
  leaveOutJoined,
  queueImportedMails,
  readLineEnd,
  removeImported,
  type Sequences,
} from './import-store.ts';

export type ImportedMembers = {
  readonly imported: number;
  /** Rows whose address joined after the check. */
  readonly joinedMeanwhile: number;
  /** Their sequences, which nobody else has or will have. */
  readonly sequences: Sequences;
};

type ImportOptions = {
  readonly importId: string;
  readonly rows: number;
  readonly isConfirmed: boolean;
  /** To the referrers now, otherwise when the friends confirm. */
  readonly givesCredit: boolean;
  /** For each of them; null for none. */
  readonly mail: MailKind | null;
};

/**
 * All rows of a checked list that have no fault join at the end of the line, in their order. The
 * caller has locked the line. `rows` is how many there are in all.
 */
export async function importMembers(
  transaction: Transaction,
  { importId, rows, isConfirmed, givesCredit, mail }: ImportOptions,
): Promise<ImportedMembers> {
  await allowTime(transaction);
  const joinedMeanwhile = await leaveOutJoined(transaction, importId);
  await forgetTakenAndGone(transaction, importId);
  const line = await readLineEnd(transaction);
  const imported = await insertImported(transaction, {
    ...line,
    importId,
    isConfirmed,
    givesCredit,
  });
  const { first } = line;
  if (mail !== null) await queueImportedMails(transaction, { importId, first, kind: mail });
  return { imported, joinedMeanwhile, sequences: { first, last: first + rows - 1 } };
}

/**
 * Takes the members of an import out again, except those who have brought friends since: their
 * friends joined by them. The caller has locked the line.
 */
export async function removeImportedMembers(
  transaction: Transaction,
  sequences: Sequences,
): Promise<{ removed: number; staying: number }> {
  await allowTime(transaction);
  const { leaving, staying } = await findImported(transaction, sequences);
  if (leaving.length > 0) await removeImported(transaction, leaving);
  return { removed: leaving.length, staying };
}
