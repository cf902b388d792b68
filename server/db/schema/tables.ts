import type { Generated } from 'kysely';
import type { MemberCredit } from '../../../contract/member-states.ts';
import type { FeatureTables, Json } from './feature-tables.ts';

/** Tables that the query builder names. A bigint reads back as a number on both engines. */
export type Tables = FeatureTables & {
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
  standing: {
    member_id: string;
    sort_key: number;
    referral_count: Generated<number>;
  };
  count_node: {
    node: number;
    shift: number;
    sums: number[];
  };
  credit_case: {
    member_id: string;
    rules: string[];
    score: number;
    holds: boolean;
    created_at: Generated<Date>;
    decided_at: Date | null;
    decided_by: 'operator' | 'bounce' | null;
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
  live_server: {
    id: string;
    seen_at: Generated<Date>;
  };
  live_member: {
    member_id: string;
    server_id: string;
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
  passkey: {
    id: Generated<string>;
    credential_id: string;
    operator_id: string;
    name: string;
    public_key: string;
    sign_count: number;
    transports: string[];
    created_at: Generated<Date>;
    last_used_at: Date | null;
  };
  audit_head: {
    is_only_row: Generated<boolean>;
    sequence: Generated<number>;
    hash: Generated<Uint8Array>;
  };
  undo_record: {
    audit_sequence: number;
    member_id: string | null;
    data: Json;
    until: Date;
  };
  limit_count: {
    rule: string;
    key: string;
    began_at: Date;
    count: number;
    expires_at: Date;
    settled_at: Generated<Date>;
  };
  secret_check: {
    is_only_row: Generated<boolean>;
    fingerprint: string;
  };
  mail_suppression: {
    address_hash: string;
    reason: 'stopped' | 'bounced' | 'complained';
    since: Generated<Date>;
    member_id: Generated<string | null>;
    is_acted_on: Generated<boolean>;
  };
  mail_outbox: {
    first_sequence: number;
    kind: string;
    member_ids: string[];
  };
  notification_due: {
    member_id: string;
    due_after: Generated<Date>;
  };
  reminder_cursor: {
    is_only_row: Generated<boolean>;
    next_sequence: Generated<number>;
  };
  top100_cursor: {
    is_only_row: Generated<boolean>;
    next_sequence: Generated<number>;
  };
  digest_state: {
    is_only_row: Generated<boolean>;
    sent_at: Date | null;
  };
};
