import { ticketOf } from '../../../contract/drop/draw-hash-rules.ts';
import type { DrawRecord, FrozenList } from '../../../contract/drop/draw-record.ts';
import type { Database, Reader } from '../../db/database.ts';
import type { DropRow } from '../../db/schema/feature-tables.ts';
import { Problem } from '../../problem.ts';
import { readDrop } from '../drop-store.ts';
import { readEntered, readEntrants, readOrder } from '../entrant-store.ts';

/** Caches the last record as JSON, which many may read. Throws Problem not_found. */
export function openDrawRecords(database: Database): (number: number) => Promise<string> {
  let cached: { readonly key: string; readonly json: Promise<string> } | null = null;
  return async (number) => {
    const drop = await readDrop(database, number);
    if (drop?.list_hash == null)
      throw new Problem('not_found', `There is no frozen list of a drop ${number}.`);
    const key = [number, drop.list_hash, drop.announcement_hash, drop.selected_at].join();
    if (cached?.key !== key) {
      const json = readRecord(database, drop).then((record) => JSON.stringify(record));
      cached = { key, json };
      json.catch(() => {
        cached = null;
      });
    }
    return await cached.json;
  };
}

async function readRecord(database: Database, drop: DropRow): Promise<DrawRecord> {
  const { number, selected_at, evidence } = drop;
  const isDrawn = selected_at !== null;
  return {
    ...(await readList(database, drop)),
    list_hash: drop.list_hash ?? '',
    announcement: drop.announcement,
    announcement_hash: drop.announcement_hash,
    ...(drop.announcement && (await readEntered(database, drop))),
    // A seed is secret until it was used.
    evidence: isDrawn ? evidence : null,
    order: isDrawn ? await readOrder(database, number) : null,
  };
}

export async function readList(
  database: Reader,
  { number, frozen_at, salt }: Pick<DropRow, 'number' | 'frozen_at' | 'salt'>,
): Promise<FrozenList> {
  const rows = await readEntrants(database, number);
  return {
    ...(rows.some(({ weight }) => weight !== undefined) && { version: 2 as const }),
    number,
    frozen_at: frozen_at?.toISOString() ?? '',
    salt: salt ?? '',
    entrants: rows.map(({ position, member_id, ...entrant }) => ({
      position,
      ticket: ticketOf(salt ?? '', member_id),
      ...entrant,
    })),
  };
}
