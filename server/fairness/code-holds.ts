import { readReferralCode } from '../../contract/referral-code-rules.ts';
import type { Applied, Operation } from '../changes/operation.ts';
import type { Transaction } from '../db/transaction.ts';
import { findIdBy } from '../line/changes/change-store.ts';
import { writeCodeHold } from '../line/credits/credit-store.ts';
import { conflict, Problem } from '../problem.ts';

type HeldCode = { readonly code: string; readonly memberId: string };

async function setCodeHold(
  transaction: Transaction,
  { code: text, isOnHold }: { code: string; isOnHold: boolean },
): Promise<HeldCode> {
  const code = readReferralCode(text) ?? '';
  const memberId = await findIdBy(transaction, 'referral_code', code);
  if (memberId === null) throw new Problem('unknown_member', `No member has the code ${text}.`);
  if (!(await writeCodeHold(transaction, { memberId, isOnHold })))
    throw conflict(
      isOnHold
        ? `Every new friend of ${code} is held for review already.`
        : `New friends of ${code} are not held for review.`,
    );
  return { code, memberId };
}

type Texts = {
  sentences(code: string): string[];
  summary(code: string): string;
  undone(code: string): string;
};

function holding(isOnHold: boolean, { sentences, summary, undone }: Texts) {
  return {
    lock: 'line' as const,
    async apply(transaction: Transaction, input: { code: string }): Promise<Applied> {
      const undo = await setCodeHold(transaction, { code: input.code, isOnHold });
      const { code, memberId } = undo;
      return {
        sentences: sentences(code),
        summary: summary(code),
        subject: { kind: 'member', id: memberId },
        details: { code },
        undo,
      };
    },
    async undo(transaction: Transaction, { code }: HeldCode) {
      await setCodeHold(transaction, { code, isOnHold: !isOnHold });
      return { summary: undone(code) };
    },
  };
}

export const holdCodeOperation: Operation<'hold-code'> = holding(true, {
  sentences: (code) => [
    `Every new friend of ${code} is held for review: they count once somebody approves.`,
    'Friends who join with it get their position as ever. Friends who counted before still do.',
  ],
  summary: (code) => `Every new friend of ${code} is held for review.`,
  undone: (code) => `New friends of ${code} are no longer held for review.`,
});

export const releaseCodeOperation: Operation<'release-code'> = holding(false, {
  sentences: (code) => [
    `New friends of ${code} count again, unless a rule finds something.`,
    'Friends who wait now do so until somebody decides.',
  ],
  summary: (code) => `New friends of ${code} are no longer held for review.`,
  undone: (code) => `Every new friend of ${code} is held for review again.`,
});
