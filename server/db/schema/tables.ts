import type { Generated } from 'kysely';
import type { MemberCredit } from '../../../contract/member-states.ts';
import type { FeatureTables } from './feature-tables.ts';
import type { Json, PlatformTables } from './platform-tables.ts';

/** The tables of changes/ as Kysely sees them. A bigint reads back as a number on both engines. */
export type Tables = LineTables & FeatureTables & PlatformTables;

/** Tables of the line: members, counts, fraud signals and live updates. */
type LineTables = {
  line_state: {
    is_only_row: Generated<boolean>;
    rule: string;
    per_join: number;
    per_credit: number;
    per_invite: number;
    bucket_shifts: number[];
    total: Generated<number>;
    next_sequence: Generated<number>;
    last_joined_at: Generated<Date>;
    recorded_events: Generated<string[]>;
    pause_message: string | null;
    paused_at: Date | null;
  };
  member: {
    id: string;
    sequence: number;
    joined_at: Date;
    join_position: number;
    key_hash: Generated<string | null>;
    request_hash: string;
    confirmed_at: Generated<Date | null>;
    referrer_id: Generated<string | null>;
    is_invited: boolean;
    credit: Generated<MemberCredit>;
    email: string;
    email_identity: string;
    referral_code: string;
    source_id: Generated<number | null>;
    point_adjustment: Generated<number>;
    mailbox: Generated<string | null>;
  };
  source: {
    id: number;
    utm_source: Generated<string>;
    utm_medium: Generated<string>;
    utm_campaign: Generated<string>;
    referring_host: Generated<string>;
    via: Generated<string>;
  };
  standing: {
    member_id: string;
    sort_key: number;
    referral_count: Generated<number>;
  };
  visit_count: {
    quarter: Date;
    page: 'landing' | 'invite';
    source_id: number;
    visits: number;
  };
  event_count: {
    quarter: Date;
    event: string;
    events: number;
  };
  join_count: {
    quarter: Date;
    source_id: number;
    joins: number;
    invited: number;
  };
  cohort_count: {
    quarter: Date;
    shared: Generated<number>;
    friends: Generated<number>;
    with_friend: Generated<number>;
  };
  friend_wait: {
    minutes: number;
    members: number;
  };
  opened_invite: {
    member_id: string;
    has_friend: boolean;
  };
  join_cursor: {
    is_only_row: Generated<boolean>;
    next_sequence: Generated<number>;
  };
  count_node: {
    node: number;
    shift: number;
    sums: number[];
  };
  referral_tally: {
    referral_count: number;
    members: number;
  };
  credit_case: {
    member_id: string;
    rules: string[];
    score: number;
    holds: boolean;
    created_at: Generated<Date>;
    decided_at: Date | null;
    decided_by: 'operator' | 'sweep' | null;
  };
  code_hold: {
    member_id: string;
    since: Generated<Date>;
  };
  second_look: {
    member_id: string;
    asked_at: Generated<Date>;
    answered_at: Date | null;
  };
  sweep_cursor: {
    is_only_row: Generated<boolean>;
    next_sequence: Generated<number>;
    pass_sequence: Generated<number>;
    pass_end: Generated<number>;
  };
  trace_key: {
    id: number;
    salt: Uint8Array;
    created_at: Generated<Date>;
  };
  join_trace: {
    member_id: string;
    key_id: number;
    server: number;
    narrow: number;
    wide: number;
    hints: number;
    flags: number;
  };
  trusted_network: {
    key_id: number;
    narrow: number;
    since: Generated<Date>;
    /** The same in all rows of one network. */
    trust: Generated<string>;
  };
  live_server: {
    id: string;
    seen_at: Generated<Date>;
  };
  live_member: {
    member_id: string;
    server_id: string;
  };
  member_note: {
    id: Generated<string>;
    member_id: string;
    author_kind: string;
    author_id: string | null;
    author_name: string;
    body: string;
    written_at: Generated<Date>;
    edited_at: Date | null;
  };
  removed_member: {
    member_id: string;
    removal: string;
    until: Date;
    email_identity: string;
    member: Json;
    side_rows: Json;
    friends: Json;
    address_hash: string | null;
  };
};
