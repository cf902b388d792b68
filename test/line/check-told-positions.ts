import type { Database } from '../../server/db/database.ts';
import { LineModel } from './model.ts';

/**
 * Members who were told a wrong position when they joined, one sentence each. `told` maps member
 * ids to the positions told. A batch joins at one instant, so the line is built up again batch by
 * batch from the members' own instants. Holds while nobody has been removed.
 */
export async function findUntruePositions(
  database: Database,
  told: ReadonlyMap<string, number>,
): Promise<string[]> {
  const rows = await database.kysely
    .selectFrom('member')
    .select(['id', 'referrer_id', 'sequence'])
    .select(({ fn }) =>
      fn
        .agg<number>('dense_rank')
        .over((over) => over.orderBy('joined_at'))
        .as('batch'),
    )
    .orderBy('sequence')
    .execute();
  const model = new LineModel();
  const untrue: string[] = [];
  for (const batch of Map.groupBy(rows, (row) => row.batch).values()) {
    for (const { id, referrer_id: code } of batch) {
      const [answer] = model.joinTogether([{ name: id, email: id, code, key: null }]);
      if (answer?.kind === 'joined') Object.assign(answer.member, { id, code: id.toUpperCase() });
    }
    const places = new Map(model.inOrder().map((member, index) => [member.id, index + 1]));
    for (const { id } of batch) {
      const place = places.get(id);
      const said = told.get(id);
      if (said !== undefined && said !== place)
        untrue.push(`${id} was told ${said} and was ${place}.`);
    }
  }
  return untrue;
}
