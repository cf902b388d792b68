import { countOf } from '../changes/count-words.ts';
import type { Applied, Operation } from '../changes/operation.ts';
import type { Transaction } from '../db/transaction.ts';
import { readMemberId } from '../line/member-id-rules.ts';
import { conflict } from '../problem.ts';
import { readNetworkOf, type TracedNetwork, writeTrust } from './traces/trust-store.ts';

async function setTrust(
  transaction: Transaction,
  trust: Parameters<typeof writeTrust>[1],
): Promise<void> {
  if (await writeTrust(transaction, trust)) return;
  throw conflict(
    trust.isTrusted
      ? 'The network that this friend joined from is trusted already.'
      : 'The network that this friend joined from is not trusted.',
  );
}

type Texts = { sentences(held: number): string[]; summary: string; undone: string };

/** The log does not name the network: its hash is in the undo record, deleted after a day. */
function trusting(isTrusted: boolean, { sentences, summary, undone }: Texts) {
  return {
    lock: null,
    async apply(transaction: Transaction, input: { member_id: string }): Promise<Applied> {
      const id = readMemberId(input.member_id);
      const found = id === null ? null : await readNetworkOf(transaction, id);
      if (found === null)
        throw conflict(
          'The network that this friend joined from is not known: traces of joins are deleted ' +
            'after 30 days.',
        );
      const { held, ...network } = found;
      await setTrust(transaction, { network, isTrusted });
      return {
        sentences: sentences(held),
        counts: { held },
        summary,
        subject: { kind: 'member', id: input.member_id },
        details: { held },
        undo: network,
      };
    },
    async undo(transaction: Transaction, network: TracedNetwork) {
      await setTrust(transaction, { network, isTrusted: !isTrusted });
      return { summary: undone };
    },
  };
}

export const trustNetworkOperation: Operation<'trust-network'> = trusting(true, {
  sentences: (held) => [
    'The network that this friend joined from speaks against nobody any more, whatever ' +
      'the code. That holds while somebody joins from there at least every 30 days.',
    held === 0
      ? 'No friend from there waits.'
      : `${countOf(held, 'friend')} from there ` +
        `${held === 1 ? 'waits' : 'wait'} as before: decide about them apart.`,
  ],
  summary: 'A network was trusted.',
  undone: 'A network is no longer trusted.',
});

export const distrustNetworkOperation: Operation<'distrust-network'> = trusting(false, {
  sentences: () => [
    'The network that this friend joined from counts like any other again.',
    'Friends who were approved meanwhile still count.',
  ],
  summary: 'A network is no longer trusted.',
  undone: 'A network is trusted again.',
});
