import type { Database } from '../../db/database.ts';
import { run, value } from '../../db/rows.ts';

const GONE_AFTER_S = 120;

/** True when its own pages are unknown: it has just started, or a crash emptied the tables. */
export function noteServer({ kysely }: Database, serverId: string) {
  return value<boolean>(kysely)`
    with gone as (
      delete from live_server
      where id <> ${serverId}
        and seen_at < clock_timestamp() - make_interval(secs => ${GONE_AFTER_S})
    )
    insert into live_server (id) values (${serverId})
    on conflict (id) do update set seen_at = excluded.seen_at
    returning xmax = 0 as is_new
  `;
}

export function addPages({ kysely }: Database, serverId: string, memberIds: readonly string[]) {
  return run(kysely)`
    insert into live_member (member_id, server_id)
    select id, ${serverId}::uuid from unnest(${memberIds}::uuid[]) id
    on conflict do nothing
  `;
}

export function removePages({ kysely }: Database, serverId: string, memberIds: readonly string[]) {
  return run(kysely)`
    delete from live_member
    where server_id = ${serverId} and member_id = any(${memberIds}::uuid[])
  `;
}

export function forgetServer({ kysely }: Database, serverId: string) {
  return run(kysely)`delete from live_server where id = ${serverId}`;
}
