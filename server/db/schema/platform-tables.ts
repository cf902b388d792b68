import type { ColumnType, Generated } from 'kysely';

/** Written as JSON text. */
export type Json = ColumnType<unknown, string, string>;

/** Tables of operators, their changes, limits, secrets and mails. */
export type PlatformTables = {
  operator: {
    id: Generated<string>;
    email: string;
    email_identity: string;
    name: string;
    role: 'owner' | 'viewer';
    created_at: Generated<Date>;
  };
  one_time_secret: {
    secret_hash: string;
    purpose: 'link' | 'passkey' | 'new_passkey';
    operator_id: string | null;
    expires_at: Date;
  };
  operator_session: {
    id: Generated<string>;
    secret_hash: string;
    operator_id: string;
    device: string;
    created_at: Generated<Date>;
    last_used_at: Generated<Date>;
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
  api_key: {
    id: Generated<string>;
    name: string;
    secret_hash: string;
    hint: string;
    scopes: string[];
    created_by: string | null;
    created_at: Generated<Date>;
    last_used_at: Date | null;
  };
  audit_entry: {
    sequence: number;
    at: Date;
    actor_kind: 'operator' | 'api_key' | 'token' | 'system';
    actor_id: string | null;
    actor_name: string;
    action: string;
    subject_kind: string | null;
    subject_id: string | null;
    reason: string | null;
    details: Json;
    previous_hash: Uint8Array;
    hash: Uint8Array;
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
  };
  mail_pace: {
    is_only_row: Generated<boolean>;
    next_at: Generated<Date>;
    reserved_at: Generated<Date>;
  };
  mail_outbox: {
    first_sequence: number;
    kind: string;
    member_ids: string[];
  };
  postponed_mail: {
    member_id: string;
    kind: string;
    due_at: Date;
    created_at: Generated<Date>;
  };
  status_link_sent: {
    member_id: string;
    sent_at: Date;
  };
  notification_state: {
    member_id: string;
    referral_count: Generated<number>;
    friends_notified_at: Date | null;
    tier_level: Generated<number>;
    top100_notified_at: Date | null;
  };
  notification_due: {
    member_id: string;
    due_after: Generated<Date>;
  };
  top100_notified: {
    member_id: string;
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
