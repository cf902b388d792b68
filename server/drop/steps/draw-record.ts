import type { DrawRecord } from '../../../contract/drop/draw-record.ts';
import type { Database } from '../../db/database.ts';
import { Problem } from '../../problem.ts';
import { announcementOf } from './drop-state.ts';
import { type DropRow, readDrop, readOrder } from './drop-store.ts';
import { readList } from './freeze.ts';

export type DrawRecords = {
  /** A `DrawRecord` as JSON. Throws Problem not_found before the drop is frozen. */
  read(number: number): Promise<string>;
};

/** Keeps the last record in memory: it changes with three steps, and many may ask for it. */
export function openDrawRecords(database: Database): DrawRecords {
  let kept: { readonly key: string; readonly json: Promise<string> } | null = null;
  return {
    async read(number) {
      const drop = await readDrop(database, number);
      if (drop?.list_hash == null)
        throw new Problem('not_found', `There is no frozen list of a drop ${number}.`);
      const key = [number, drop.list_hash, drop.announcement_hash, drop.selected_at].join();
      if (kept?.key !== key) {
        const json = readRecord(database, drop).then((record) => JSON.stringify(record));
        kept = { key, json };
        json.catch(() => {
          kept = null;
        });
      }
      return await kept.json;
    },
  };
}

async function readRecord(database: Database, drop: DropRow): Promise<DrawRecord> {
  const { number, selected_at, evidence } = drop;
  const isDrawn = selected_at !== null;
  return {
    ...(await readList(database, drop)),
    list_hash: drop.list_hash ?? '',
    announcement: announcementOf(drop),
    announcement_hash: drop.announcement_hash,
    // A seed is secret until it was used.
    evidence: isDrawn ? evidence : null,
    order: isDrawn ? await readOrder(database, number) : null,
  };
}
