import type { Applied, Operation } from '../changes/operation.ts';
import { type HeldCode, setCodeHold } from '../line/credits/hold-code.ts';

/** All further credits of a code are held, until somebody decides about them. */
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

/** Further credits of a code are given again, unless something else speaks against them. */
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
