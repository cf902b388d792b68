import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { announcementOf } from '../steps/drop-state.ts';
import type { DropRow } from '../steps/drop-store.ts';

/** What everybody may know about the steps of a drop. */
export function viewDrop(drop: DropRow): DropFacts['drop'] {
  return {
    number: drop.number,
    state: drop.state,
    frozen_at: drop.frozen_at?.toISOString() ?? null,
    list_hash: drop.list_hash,
    announcement: announcementOf(drop),
    announcement_hash: drop.announcement_hash,
    selected_at: drop.selected_at?.toISOString() ?? null,
    closed_at: drop.closed_at?.toISOString() ?? null,
  };
}
