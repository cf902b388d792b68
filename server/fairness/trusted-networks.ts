/** Trusted networks: many friends may honestly join from an office's party. */

import { countOf } from '../changes/count-words.ts';
import type { Applied, Operation } from '../changes/operation.ts';
import type { Transaction } from '../db/transaction.ts';
import { readMemberId } from '../line/member-id-rules.ts';
import { Problem } from '../problem.ts';
import {
  deleteTrusted,
  insertTrusted,
  readNetworkOf,
  type TracedNetwork,
} from './traces/trust-store.ts';

type Trust = { readonly network: TracedNetwork; readonly held: number };

/**
 * The network of a join is suspicious no more, or counts again. Throws Problem conflict, also when
 * nothing would change or the trace of the join is gone.
 */
async function setTrustOf(
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

async function setTrust(
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

export const trustNetworkOperation: Operation<'trust-network'> = {
  kind: 'trust-network',
  lock: null,
  async apply(transaction, { member_id: memberId }) {
    const trust = await setTrustOf(transaction, { memberId, isTrusted: true });
    const { held } = trust;
    return describe(memberId, trust, {
      sentences: [
        'The network that this friend joined from speaks against nobody any more, whatever ' +
          'the code. That holds while somebody joins from there at least every 30 days.',
        held === 0
          ? 'No credit of a friend from there is held.'
          : `${countOf(held, 'held credit')} of friends from there ` +
            `${held === 1 ? 'waits' : 'wait'} as before: decide about them apart.`,
      ],
      summary: 'A network was trusted.',
    });
  },
  async undo(transaction, network: TracedNetwork) {
    await setTrust(transaction, { network, isTrusted: false });
    return { summary: 'A network is no longer trusted.' };
  },
};

export const distrustNetworkOperation: Operation<'distrust-network'> = {
  kind: 'distrust-network',
  lock: null,
  async apply(transaction, { member_id: memberId }) {
    const trust = await setTrustOf(transaction, { memberId, isTrusted: false });
    return describe(memberId, trust, {
      sentences: [
        'The network that this friend joined from counts like any other again.',
        'Credits given meanwhile stay given.',
      ],
      summary: 'A network is no longer trusted.',
    });
  },
  async undo(transaction, network: TracedNetwork) {
    await setTrust(transaction, { network, isTrusted: true });
    return { summary: 'A network is trusted again.' };
  },
};

/** The log does not name the network: its hash is in the undo record, deleted after a day. */
function describe(
  memberId: string,
  { network, held }: Trust,
  { sentences, summary }: { sentences: string[]; summary: string },
): Applied {
  return {
    effects: { sentences, counts: { held } },
    summary,
    subject: { kind: 'member', id: memberId },
    details: { held },
    undo: network,
  };
}
