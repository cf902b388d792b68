/** The tables of 0013-join-traces.sql with 0018-fair-line.sql, as in tables.ts. */
import type { Generated } from 'kysely';

export type TraceTables = {
  trace_key: TraceKeyTable;
  join_trace: JoinTraceTable;
  trusted_network: TrustedNetworkTable;
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
