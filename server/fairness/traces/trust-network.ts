import type { Transaction } from '../../db/transaction.ts';
import { readMemberId } from '../../line/member-id-rules.ts';
import { Problem } from '../../problem.ts';
import { deleteTrusted, insertTrusted, readNetworkOf, type TracedNetwork } from './trust-store.ts';

export type { TracedNetwork };

/** A network, and how many credits for friends who joined from there are held. */
export type Trust = { readonly network: TracedNetwork; readonly held: number };

/**
 * The network that the member joined from speaks against nobody, or counts like any other again.
 * Throws Problem conflict, also when nothing would change or the trace of the join is gone.
 */
export async function setTrustOf(
  transaction: Transaction,
  { memberId, isTrusted }: { memberId: string; isTrusted: boolean },
): Promise<Trust> {
  const id = readMemberId(memberId);
  const found = id === null ? null : await readNetworkOf(transaction, id);
  if (found === null)
    throw new Problem(
      'conflict',
      'The network that this friend joined from is not known: traces of joins are deleted after ' +
        '30 days.',
    );
  const { held, ...network } = found;
  await setTrust(transaction, { network, isTrusted });
  return { network, held };
}

/** The same for a network. */
export async function setTrust(
  transaction: Transaction,
  { network, isTrusted }: { network: TracedNetwork; isTrusted: boolean },
): Promise<void> {
  if (await (isTrusted ? insertTrusted : deleteTrusted)(transaction, network)) return;
  throw new Problem(
    'conflict',
    isTrusted
      ? 'The network that this friend joined from is trusted already.'
      : 'The network that this friend joined from is not trusted.',
  );
}
