import type { ScannedPass, ScanRequest } from '../../../contract/operator/drop/offers.ts';
import type { Actor } from '../../access/actor.ts';
import { recordAccess } from '../../changes/audit/record-audit.ts';
import type { Transaction } from '../../db/transaction.ts';
import { updateOffer } from './offer-store.ts';
import { readPassHolder } from './pass-store.ts';
import { lockPass } from './passes.ts';

/** Idempotent; of two scans the first one wins. Throws Problem not_found. */
export async function scanPass(
  transaction: Transaction,
  { code, scan, waited_seconds: waited = 0 }: ScanRequest,
  actor: Actor,
): Promise<ScannedPass> {
  const found = await lockPass(transaction, code);
  const isUsable = found.state === 'accepted';
  const use = { state: 'redeemed', door_scan: scan, scanned_by: actor.name } as const;
  const pass = isUsable ? await updateOffer(transaction, found.id, use) : found;
  const { drop_number: drop, member_id: id, size, state, redeemed_at } = pass;
  const isUsed = state === 'redeemed';
  const isOwn = isUsed && pass.door_scan === scan;
  const holder = await readPassHolder(transaction, pass);
  // A pass that was scanned offline may have been honoured although it was used.
  if (isUsable || (waited > 0 && !isOwn)) {
    const what = isUsable ? 'was used' : 'that could not be used was scanned';
    const when = waited > 0 ? `, without network, ${waited} seconds earlier` : '';
    const summary = `A pass for a mask of size ${size} ${what} at the door${when}.`;
    await recordAccess(transaction, actor, 'scan-pass', { kind: 'member', id }, summary);
  }
  return {
    result: isOwn ? 'given' : isUsed ? 'used' : 'cancelled',
    ...{ drop, size, ...holder },
    used_at: redeemed_at?.toISOString() ?? null,
    used_by: isUsed ? (pass.scanned_by ?? `order ${pass.shop_order}`) : null,
  };
}
