/** The tables of 0031-live.sql, as in tables.ts. */
import type { Generated } from 'kysely';

export type LiveTables = {
  live_server: { id: string; seen_at: Generated<Date> };
  live_member: { member_id: string; server_id: string };
};
