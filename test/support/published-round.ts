/** A round that drand has published, and a drop that was announced for it, as if it lay ahead. */
import { hashAnnouncement, hashList } from '../../contract/drop/draw-hash-rules.ts';
import type { Announcement, DrawRecord } from '../../contract/drop/draw-record.ts';
import type { Database } from '../../server/db/database.ts';

export const ROUND = 1000;
export const SIGNATURE =
  'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125' +
  'e342b73a8dd2bacbe47e4b6b63ed5e39';

/** Returns the hash of the announcement. `record` is that of the drop, which is announced. */
export async function announceForRound(
  { kysely }: Pick<Database, 'kysely'>,
  record: DrawRecord,
): Promise<string> {
  const frozen_at = '2023-08-23T15:50:00.000Z';
  const list_hash = hashList({ ...record, frozen_at });
  const announcement: Announcement = {
    ...(record.announcement as Announcement),
    list_hash,
    randomness: { source: 'quicknet', round: ROUND },
    announced_at: '2023-08-23T15:55:00.000Z',
  };
  const announcement_hash = hashAnnouncement(announcement);
  await kysely
    .updateTable('mask_drop')
    .set({
      frozen_at: new Date(frozen_at),
      list_hash,
      announcement: JSON.stringify(announcement),
      announcement_hash,
    })
    .where('number', '=', record.number)
    .execute();
  return announcement_hash;
}
