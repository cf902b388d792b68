import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../db/transaction.ts';
import { type EmailAddress, readAddress } from '../../mail/email-rules.ts';
import { conflict } from '../../problem.ts';
import {
  creditConfirmed,
  findIdBy,
  getChanging,
  moveCredit,
  writeAddress,
} from './change-store.ts';

/** An address with its state. `keyHash` answers a repeated join with the old address. */
export type HeldAddress = EmailAddress & {
  readonly confirmedAt: Date | null;
  readonly mailbox: string | null;
  readonly keyHash: string | null;
};

/** By the rules of a join. The caller holds the line lock. Throws Problem. */
export async function correctAddress(
  transaction: Transaction,
  { memberId, email }: { memberId: string; email: string },
): Promise<{ before: HeldAddress; after: HeldAddress }> {
  const address = readAddress(email);
  const member = await getChanging(transaction, memberId);
  const before: HeldAddress = {
    email: member.email,
    identity: member.email_identity,
    confirmedAt: member.confirmed_at,
    mailbox: member.mailbox,
    keyHash: member.key_hash,
  };
  if (address.email === before.email) throw conflict('The member has this address already.');
  const isSameMailbox = address.identity === before.identity;
  const confirmedAt = isSameMailbox ? before.confirmedAt : null;
  const mailbox = isSameMailbox ? before.mailbox : randomUUID();
  const after = { ...address, confirmedAt, mailbox, keyHash: null };
  await hold(transaction, member.id, before, after);
  return { before, after };
}

export async function restoreAddress(
  transaction: Transaction,
  { memberId, from, to }: { memberId: string; from: string; to: HeldAddress },
): Promise<void> {
  const member = await getChanging(transaction, memberId);
  if (member.email !== from) throw conflict("The member's address has since changed again.");
  await hold(
    transaction,
    member.id,
    { identity: member.email_identity, confirmedAt: member.confirmed_at },
    to,
  );
}

async function hold(
  transaction: Transaction,
  id: string,
  before: Pick<HeldAddress, 'identity' | 'confirmedAt'>,
  { email, identity, confirmedAt, mailbox, keyHash }: HeldAddress,
): Promise<void> {
  const find = (...by: ['email_identity' | 'key_hash', string]) => findIdBy(transaction, ...by);
  if (identity !== before.identity && (await find('email_identity', identity)) !== null)
    throw conflict('Another member has this address.');
  const isKeyTaken = keyHash !== null && (await find('key_hash', keyHash)) !== null;
  await writeAddress(transaction, id, {
    email,
    email_identity: identity,
    confirmed_at: confirmedAt,
    mailbox,
    key_hash: isKeyTaken ? null : keyHash,
  });
  const by = Number(confirmedAt !== null) - Number(before.confirmedAt !== null);
  if (by !== 0) await moveCredit(transaction, id, by);
  if (by > 0) await creditConfirmed(transaction, id);
}
