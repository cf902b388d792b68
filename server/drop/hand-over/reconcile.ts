import type { ChangeInput } from '../../../contract/operator/changes.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Database } from '../../db/database.ts';
import { conflict, Problem } from '../../problem.ts';
import { changeOf } from '../drop-store.ts';
import { mailAbout } from '../offers/settle-offer.ts';
import { redeemPass } from '../passes/passes.ts';
import { cancelPass } from '../till/settle-payment.ts';
import { planOrders } from './compare-orders.ts';
import type { PassAction } from './reconcile-rules.ts';

type Input = ChangeInput<'reconcile'>;

/** Maximum of one change: joins on the embedded engine wait for its end. */
const MAX_PASSES = 1_000;

/** The file is read before the lock; passes that were changed meanwhile are skipped. */
export function openReconcile(database: Database): Operation<'reconcile'> {
  async function read({ import_id: importId, drop, free_cancelled: isFreeing = false }: Input) {
    const { toFree, ...planned } = await planOrders(database, { importId, drop });
    return { ...planned, cancelled: toFree.length, toFree: isFreeing ? toFree : [] };
  }
  type Planned = Awaited<ReturnType<typeof read>>;

  return {
    isForOwners: true,
    lock: 'sizes',
    read,

    async plan(_, { toRedeem, toFree, cancelled, odd }: Planned) {
      return {
        sentences: [
          `${countOf(toRedeem.length, 'pass is', 'passes are')} marked as paid by the order that ` +
            'has the code, and their members are mailed that.',
          ...(odd === 0 ? [] : [`Something is odd about ${odd} of these: see the report.`]),
          ...(toFree.length === 0
            ? []
            : [
                `${countOf(toFree.length, 'pass', 'passes')} of cancelled orders ` +
                  `${toFree.length === 1 ? 'is' : 'are'} dead for good. Their masks go to the ` +
                  'next in the draw order while masks are offered, and their members are mailed.',
              ]),
          ...(cancelled > 0 && toFree.length === 0
            ? [`${countOf(cancelled, 'pass', 'passes')} of cancelled orders stay as they are.`]
            : []),
          ...(toRedeem.length + toFree.length > MAX_PASSES
            ? [`Of these ${countOf(MAX_PASSES, 'pass', 'passes')} at once: do it again after.`]
            : []),
        ],
        counts: {
          passes: toRedeem.length + toFree.length,
          redeemed: toRedeem.length,
          cancelled: toFree.length,
        },
      };
    },

    async apply(transaction, { expected }, { drop, toRedeem, toFree }: Planned) {
      const found = toRedeem.length + toFree.length;
      if (expected !== undefined && found > expected)
        throw conflict(
          `${countOf(found, 'pass', 'passes')} would change by now, and not ${expected}: ` +
            'look at the preview again.',
        );
      const redeeming = toRedeem.slice(0, MAX_PASSES);
      const freeing = toFree.slice(0, MAX_PASSES - redeeming.length);
      const redeemed = await eachPass(redeeming, async (pass) => {
        const { offer, hasChanged } = await redeemPass(transaction, pass);
        return hasChanged ? offer.member_id : null;
      });
      const cancelled = await eachPass(freeing, async ({ code, order }) => {
        const pass = await cancelPass(transaction, code, order);
        const note = `Order ${order} was cancelled or refunded in the shop.`;
        await mailAbout(transaction, 'pass-cancelled', [pass], { note });
        return pass.member_id;
      });
      const rest = found - redeeming.length - freeing.length;
      return changeOf(drop, {
        summary:
          `${countOf(redeemed.length, 'pass was', 'passes were')} marked as paid, ` +
          `${countOf(cancelled.length, 'pass was', 'passes were')} cancelled, as orders say` +
          `${rest === 0 ? '.' : `; ${rest} are left.`}`,
        details: { redeemed, cancelled },
      });
    },
  };
}

async function eachPass(
  passes: readonly PassAction[],
  change: (pass: PassAction) => Promise<string | null>,
) {
  const done: { member: string; order: string }[] = [];
  for (const pass of passes) {
    try {
      const member = await change(pass);
      if (member !== null) done.push({ member, order: pass.order });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'conflict') throw error;
    }
  }
  return done;
}
