import type {
  ScannedPass,
  ScanRequest,
  UndoScanRequest,
} from '../../../contract/operator/drop/offers.ts';
import type { Actor } from '../../access/actor.ts';
import { recordAccess } from '../../changes/audit/record-audit.ts';
import type { Transaction } from '../../db/transaction.ts';
import { MINUTE_MS } from '../../durations.ts';
import { conflict } from '../../problem.ts';
import { type DatedOffer, updateOffer } from './offer-store.ts';
import { hasGoneBack, readPassHolder, writeUndoneScan } from './pass-store.ts';
import { lockPass } from './passes.ts';

type Result = ScannedPass['result'];
type Door = { readonly actor: Actor; readonly onlyPaid: boolean };

/** Idempotent; of two scans the first one wins. Throws Problem not_found. */
export async function scanPass(
  transaction: Transaction,
  { code, scan, drop, waited_seconds: waited = 0 }: ScanRequest,
  { actor, onlyPaid }: Door,
): Promise<ScannedPass> {
  const found = await lockPass(transaction, code);
  const isUnpaid =
    (found.state === 'accepted' && onlyPaid) || (await hasGoneBack(transaction, found.id));
  const refusal = refusalOf(found, { scan, isUnpaid, drop: drop ?? found.drop_number });
  const use = { state: 'handed_over', door_scan: scan, scanned_by: actor.name } as const;
  const pass = refusal === null ? await updateOffer(transaction, found.id, use) : found;
  const isOwn = pass.door_scan === scan;
  // A pass that was scanned offline may have been honoured although it was used.
  if (refusal === null || (waited > 0 && !isOwn)) {
    const what = refusal === null ? 'was handed over' : 'that was not to be had was asked for';
    const when = waited > 0 ? `, without network, ${waited} seconds earlier` : '';
    const event = { actor, action: 'scan-pass', what: `${what} at the door${when}` };
    await audit(transaction, pass, event);
  }
  return await viewScan(transaction, pass, refusal ?? 'given');
}

const UNDO_MS = MINUTE_MS;

/** Idempotent. A scan that arrives after its undo hands over nothing. */
export async function undoScan(
  transaction: Transaction,
  { code, scan }: UndoScanRequest,
  actor: Actor,
): Promise<ScannedPass> {
  const pass = await lockPass(transaction, code);
  const { state, handed_at: at, now } = pass;
  const isOwn = pass.door_scan === scan;
  if (state === 'cancelled') return await viewScan(transaction, pass, 'cancelled');
  if (state === 'sent' || (at !== null && !isOwn)) return await viewScan(transaction, pass, 'used');
  if (at !== null && now.getTime() - at.getTime() > UNDO_MS)
    throw conflict('It was handed over more than a minute ago: tell an owner.');
  if (at !== null || !isOwn) await writeUndoneScan(transaction, pass, { scan, by: actor.name });
  const event = { actor, action: 'undo-scan', what: 'was taken back at the door' };
  if (at !== null) await audit(transaction, pass, event);
  return await viewScan(transaction, pass, 'undone');
}

/** Null: the mask is to be handed over now. */
function refusalOf(
  { state, door_scan, drop_number }: DatedOffer,
  { scan, drop, isUnpaid }: Required<Pick<ScanRequest, 'scan' | 'drop'>> & { isUnpaid: boolean },
): Result | null {
  if (state === 'cancelled') return 'cancelled';
  if (door_scan === scan) return state === 'handed_over' ? 'given' : 'undone';
  if (state === 'handed_over' || state === 'sent') return 'used';
  if (drop_number !== drop) return 'other_drop';
  return isUnpaid ? 'unpaid' : null;
}

async function viewScan(
  transaction: Transaction,
  pass: DatedOffer,
  result: Result,
): Promise<ScannedPass> {
  const { drop_number: drop, size, handed_at, scanned_by } = pass;
  const { email, position, sent_at, carrier } = await readPassHolder(transaction, pass);
  const isUsed = result === 'used' || result === 'given';
  const at = handed_at ?? sent_at;
  return {
    ...{ result, drop, size, position, email },
    used_at: isUsed ? (at?.toISOString() ?? null) : null,
    used_by: isUsed ? (handed_at === null ? carrier : scanned_by) : null,
  };
}

type Event = { readonly actor: Actor; readonly action: string; readonly what: string };

async function audit(
  transaction: Transaction,
  { member_id: id, size }: DatedOffer,
  { actor, action, what }: Event,
): Promise<void> {
  const summary = `A mask of size ${size} ${what}.`;
  await recordAccess(transaction, actor, action, { kind: 'member', id }, summary);
}
