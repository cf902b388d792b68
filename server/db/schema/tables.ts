import type { Generated } from 'kysely';
import type { MemberCredit } from '../../../contract/member-states.ts';
import type { FeatureTables } from './feature-tables.ts';

/** Tables that the query builder names. A bigint reads back as a number on both engines. */
export type Tables = FeatureTables & {
  line_state: {
    is_only_row: Generated<boolean>;
    total: Generated<number>;
    next_sequence: Generated<number>;
    last_joined_at: Generated<Date>;
    recorded_events: Generated<string[]>;
    pause_message: string | null;
    paused_at: Date | null;
    line_id: Generated<string>;
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
    other_inviters: Generated<string[] | null>;
    proved_mailbox: Generated<string | null>;
    proved_name: Generated<string | null>;
  };
  standing: {
    member_id: string;
    sort_key: number;
    referral_count: Generated<number>;
    unconfirmed: Generated<number>;
  };
  credit_case: {
    member_id: string;
    decided_at: Date;
    decided_by: 'operator' | 'bounce';
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
  mail_suppression: {
    address_hash: string;
    reason: 'stopped' | 'bounced' | 'complained';
    since: Generated<Date>;
    member_id: Generated<string | null>;
    is_acted_on: Generated<boolean>;
  };
};
