import type { Database } from '../../db/database.ts';
import { count, run, value } from '../../db/rows.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';

const DELETED_AT_ONCE = 5_000;
const TRACE_DAYS = 30;

/** Stores this one first if the newest is too old. */
export async function readNewestSalt({ kysely }: Database, salt: Uint8Array): Promise<Uint8Array> {
  await run(kysely)`
    insert into trace_key (id, salt)
    select coalesce(max(id), 0) % 32000 + 1, ${salt} from trace_key
    having coalesce(max(created_at), '-infinity')
      < clock_timestamp() - make_interval(days => ${TRACE_DAYS}::integer)
    on conflict do nothing`;
  return await value<Uint8Array>(kysely)`
    select salt from trace_key order by created_at desc, id desc limit 1`;
}

/** Deletes some at a time: the embedded engine blocks on a statement. */
export async function deleteOldTraces({ kysely }: Database): Promise<void> {
  for (;;) {
    // An id begins with the milliseconds since 1970 of its join.
    const deleted = await count(kysely)`
      delete from join_trace where member_id = any(array(
        select member_id from join_trace
        where member_id < rpad(lpad(to_hex(floor(1000 * extract(epoch from
            clock_timestamp() - make_interval(days => ${TRACE_DAYS}::integer)
          ))::bigint), 12, '0'), 32, '0')::uuid
        order by member_id limit ${DELETED_AT_ONCE}))`;
    if (deleted < DELETED_AT_ONCE) break;
    await letOthersIn();
  }
  await run(kysely)`
    delete from trace_key
    where created_at < clock_timestamp() - make_interval(days => ${2 * TRACE_DAYS}::integer)
  `;
}
