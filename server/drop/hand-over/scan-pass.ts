import type {
  ScannedPass,
  ScanRequest,
  UndoScanRequest,
} from '../../../contract/operator/drop/offers.ts';
import type { Actor } from '../../access/actor.ts';
import { recordAccess } from '../../access/audit/record-audit.ts';
import type { OfferRow } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import { conflict } from '../../problem.ts';
import {
  type DatedOffer,
  readListed,
  updateOffer,
  writeUndoneScan,
} from '../offers/offer-store.ts';
import { UNDO_MS } from '../passes/parcel-store.ts';
import { lockPass } from '../passes/passes.ts';

type Result = ScannedPass['result'];
type Door = { readonly actor: Actor; readonly onlyPaid: boolean };

/** Idempotent; of two scans the first one wins. Throws Problem not_found. */
export async function scanPass(
  transaction: Transaction,
  { code, scan, drop }: ScanRequest,
  { actor, onlyPaid }: Door,
): Promise<ScannedPass> {
  const found = await lockPass(transaction, code);
  const isUnpaid = (found.state === 'accepted' && onlyPaid) || found.went_back;
  const refusal = refusalOf(found, { scan, isUnpaid, drop: drop ?? found.drop_number });
  if (refusal !== null) return await viewScan(transaction, found, refusal);
  const use = { state: 'handed_over', door_scan: scan, scanned_by: actor.name } as const;
  const pass = await updateOffer(transaction, found.id, use);
  const summary = `A mask of size ${pass.size} was handed over at the door.`;
  await recordAccess(transaction, actor, 'scan-pass', holderOf(pass), summary);
  return await viewScan(transaction, pass, 'given');
}

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
  const summary = `A mask of size ${pass.size} was taken back at the door.`;
  if (at !== null) await recordAccess(transaction, actor, 'undo-scan', holderOf(pass), summary);
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
  pass: OfferRow,
  result: Result,
): Promise<ScannedPass> {
  const { drop_number: drop, size, handed_at, scanned_by } = pass;
  const { email, position, sent_at, carrier } = await readListed({ kysely: transaction }, pass.id);
  const isUsed = result === 'used' || result === 'given';
  const at = handed_at ?? sent_at;
  return {
    result,
    drop,
    size,
    position,
    email,
    used_at: isUsed ? (at?.toISOString() ?? null) : null,
    used_by: isUsed ? (handed_at === null ? carrier : scanned_by) : null,
  };
}

const holderOf = ({ member_id: id }: OfferRow) => ({ kind: 'member', id });
