import type { ChangeInput } from '../../../contract/operator/changes.ts';
import type {
  OrderFinding,
  OrderKind,
  OrderReport,
} from '../../../contract/operator/drop/orders.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { csvHeader, csvLine, joinChunks } from '../../csv/csv-rules.ts';
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import { readEmail } from '../../mail/email-rules.ts';
import { mailboxOf } from '../../mail/mailbox-rules.ts';
import { readUploaded } from '../../members/imports/receive-import.ts';
import { conflict, invalidField, Problem } from '../../problem.ts';
import { changeOf, getDropNumber } from '../drop-store.ts';
import { mailAbout } from '../offers/settle-offer.ts';
import { redeemPass } from '../passes/passes.ts';
import { listSizes } from '../stock/store.ts';
import { cancelPass } from '../till/settle-payment.ts';
import { readPasses } from './hand-over-store.ts';
import {
  findOrderColumns,
  mergeRows,
  readOrderRow,
  type ShopOrder,
  type UnreadableRow,
} from './order-rules.ts';
import { openReconciliation, type PassAction, type Reconciliation } from './reconcile-rules.ts';

type Input = ChangeInput<'reconcile'>;

/** Maximum of one change: joins on the embedded engine wait for its end. */
const MAX_PASSES = 1_000;

/** The file is read before the lock; passes that were changed meanwhile are skipped. */
export function openReconcile(database: Database): Operation<'reconcile'> {
  async function read({ import_id: importId, free_cancelled: isFreeing, ...wanted }: Input) {
    const { drop, reconciliation, findings } = await open(database, {
      importId,
      drop: wanted.drop,
    });
    let odd = 0;
    for await (const { kind, needs_look: isOdd } of findings)
      if (kind === 'to_redeem' && isOdd) odd += 1;
    const { toRedeem, toFree } = reconciliation;
    return { drop, odd, toRedeem, toFree: isFreeing ? toFree : [], cancelled: toFree.length };
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

type Wanted = {
  readonly importId: string;
  readonly drop?: number | string | undefined;
  readonly item?: string | undefined;
};

const PAGE_SIZE = 100;

export async function reportOrders(
  database: Database,
  wanted: Wanted,
  { after }: { readonly after: number },
): Promise<OrderReport> {
  const { drop, reconciliation, findings } = await open(database, wanted);
  const counts: Partial<Record<OrderKind, number>> = {};
  const shown: OrderFinding[] = [];
  let odd = 0;
  for await (const finding of findings) {
    counts[finding.kind] = (counts[finding.kind] ?? 0) + 1;
    if (!finding.needs_look) continue;
    odd += 1;
    if (odd > after && shown.length < PAGE_SIZE) shown.push(finding);
  }
  const next = after + shown.length;
  return {
    drop,
    counts: counts as Record<string, number>,
    to_redeem: reconciliation.toRedeem.length,
    to_free: reconciliation.toFree.length,
    findings: shown,
    next: next < odd ? next : null,
  };
}

const COLUMNS = ['kind', 'needs_look', 'line', 'order', 'code', 'email', 'why'] as const;

export function exportFindings(database: Database, wanted: Wanted): AsyncIterable<string> {
  async function* lines() {
    const { findings } = await open(database, wanted);
    let header = csvHeader(COLUMNS);
    for await (const finding of findings) {
      yield header + csvLine(COLUMNS.map((column) => finding[column]));
      header = '';
    }
    if (header !== '') yield header;
  }
  return joinChunks(lines());
}

async function open(database: Database, { importId, ...wanted }: Wanted) {
  const drop = await getDropNumber(database, wanted.drop);
  const passes = await readPasses(database);
  const sizes = (await listSizes(database)).map(({ name }) => name);
  const reconciliation = openReconciliation(passes, {
    drop,
    sizes: [...new Set([...sizes, ...passes.map(({ size }) => size)])],
    item: wanted.item ?? null,
    isSameMailbox,
  });
  return { drop, reconciliation, findings: compare(database, importId, reconciliation) };
}

async function* compare(
  database: Database,
  importId: string,
  { take, end }: Reconciliation,
): AsyncGenerator<OrderFinding> {
  for await (const row of readOrders(database, importId))
    if ('fault' in row) {
      const { line, shown, fault: why } = row;
      const order = shown || null;
      yield { kind: 'unreadable', line, order, code: null, email: null, why, needs_look: true };
    } else yield* take(row);
  yield* end();
}

function isSameMailbox(first: string, second: string): boolean {
  const [one, other] = [readEmail(first), readEmail(second)];
  return one !== null && other !== null && mailboxOf(one.identity) === mailboxOf(other.identity);
}

const ROWS_AT_ONCE = 1_000;

/** Throws Problem unknown_path, conflict for a file that is not whole, or invalid_field. */
async function* readOrders(
  database: Database,
  importId: string,
): AsyncGenerator<ShopOrder | UnreadableRow> {
  const records = await readUploaded(database, importId);
  const { value: header } = await records.next();
  const columns = findOrderColumns(header?.cells ?? []);
  if (columns === null)
    throw invalidField(
      'These are no orders: the columns must be those of Shopify, among them Name, Email, ' +
        'Financial Status and Discount Code, or code, order, email and state.',
    );
  let last: ShopOrder | null = null;
  let rows = 0;
  for await (const record of records) {
    rows += 1;
    if (rows % ROWS_AT_ONCE === 0) await letOthersIn();
    const row = readOrderRow(record, columns);
    if (last !== null && !('fault' in row) && row.order === last.order) {
      last = mergeRows(last, row);
      continue;
    }
    if (last !== null) yield last;
    last = null;
    if ('fault' in row) yield row;
    else last = row;
  }
  if (last !== null) yield last;
}
