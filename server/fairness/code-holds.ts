import { readReferralCode } from '../../contract/referral-code-rules.ts';
import type { Applied, Operation } from '../changes/operation.ts';
import type { Transaction } from '../db/transaction.ts';
import { readCodeOwner, writeCodeHold } from '../line/credits/credit-store.ts';
import { Problem } from '../problem.ts';

/** The code as readReferralCode returns it, and its member. */
type HeldCode = { readonly code: string; readonly memberId: string };

/** Throws Problem unknown_member, or conflict when nothing would change. */
async function setCodeHold(
  transaction: Transaction,
  { code: text, isOnHold }: { code: string; isOnHold: boolean },
): Promise<HeldCode> {
  const code = readReferralCode(text) ?? '';
  const memberId = await readCodeOwner(transaction, code);
  if (memberId === null) throw new Problem('unknown_member', `No member has the code ${text}.`);
  if (!(await writeCodeHold(transaction, { memberId, isOnHold })))
    throw new Problem(
      'conflict',
      isOnHold
        ? `All further credits of ${code} are held already.`
        : `Further credits of ${code} are not held.`,
    );
  return { code, memberId };
}

export const holdCodeOperation: Operation<'hold-code'> = {
  kind: 'hold-code',
  lock: 'line',
  async apply(transaction, { code }) {
    return describe(await setCodeHold(transaction, { code, isOnHold: true }), {
      sentences: (held) => [
        `All further credits of ${held} are held until somebody decides.`,
        'Friends who join with it get their position as ever. Credits given before stay.',
      ],
      summary: (held) => `All further credits of ${held} are held.`,
    });
  },
  async undo(transaction, { code }: HeldCode) {
    await setCodeHold(transaction, { code, isOnHold: false });
    return { summary: `Further credits of ${code} are no longer held.` };
  },
};

export const releaseCodeOperation: Operation<'release-code'> = {
  kind: 'release-code',
  lock: 'line',
  async apply(transaction, { code }) {
    return describe(await setCodeHold(transaction, { code, isOnHold: false }), {
      sentences: (released) => [
        `Further credits of ${released} are given, unless a rule finds something.`,
        'Credits that are held now stay so until somebody decides.',
      ],
      summary: (released) => `Further credits of ${released} are no longer held.`,
    });
  },
  async undo(transaction, { code }: HeldCode) {
    await setCodeHold(transaction, { code, isOnHold: true });
    return { summary: `All further credits of ${code} are held again.` };
  },
};

function describe(
  held: HeldCode,
  { sentences, summary }: { sentences(code: string): string[]; summary(code: string): string },
): Applied {
  const { code, memberId } = held;
  return {
    effects: { sentences: sentences(code), counts: {} },
    summary: summary(code),
    subject: { kind: 'member', id: memberId },
    details: { code },
    undo: held,
  };
}
