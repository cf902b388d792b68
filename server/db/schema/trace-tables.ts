/** The tables of 0013-join-traces.sql, 0018-fair-line.sql and 0031-live.sql, as in tables.ts. */
import type { Generated } from 'kysely';

export type TraceTables = {
  trace_key: TraceKeyTable;
  join_trace: JoinTraceTable;
  trusted_network: TrustedNetworkTable;
  live_server: LiveServerTable;
  live_member: LiveMemberTable;
};

type TraceKeyTable = {
  id: number;
  salt: Uint8Array;
  created_at: Generated<Date>;
};

type JoinTraceTable = {
  member_id: string;
  key_id: number;
  server: number;
  narrow: number;
  wide: number;
  hints: number;
  flags: number;
};

type TrustedNetworkTable = {
  key_id: number;
  narrow: number;
  since: Generated<Date>;
  /** The same in all rows of one network. */
  trust: Generated<string>;
};

type LiveServerTable = {
  id: string;
  seen_at: Generated<Date>;
};

type LiveMemberTable = {
  member_id: string;
  server_id: string;
};
