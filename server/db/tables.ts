import type { Generated, Selectable } from 'kysely';

/** The tables of migrations/ as Kysely sees them. A bigint reads back as a number on both engines. */
export type Tables = {
  line_state: LineTable;
  member: MemberTable;
  rank_node: RankNodeTable;
  idempotency_answer: IdempotencyAnswerTable;
  mask_size: MaskSizeTable;
  allocation: AllocationTable;
  status_mail: StatusMailTable;
  mail_told: MailToldTable;
  mail_news: MailNewsTable;
  mail_batch: MailBatchTable;
  hundred_member: HundredMemberTable;
  hundred_look: HundredLookTable;
  mail_suppression: MailSuppressionTable;
  mail_pace: MailPaceTable;
  secret_check: SecretCheckTable;
  limit_count: LimitCountTable;
};

export type AllocationRow = Selectable<AllocationTable>;

type LineTable = {
  is_only_row: Generated<boolean>;
  rule: string;
  per_join: number;
  per_credit: number;
  per_invite: number;
  bucket_shifts: number[];
  total: Generated<number>;
  next_sequence: Generated<number>;
  last_joined_at: Generated<Date>;
};

type MemberTable = {
  id: string;
  sequence: number;
  sort_key: number;
  email: string;
  email_identity: string;
  referral_code: string;
  is_invited: Generated<boolean>;
  referrer_id: Generated<string | null>;
  is_credited: Generated<boolean>;
  referral_count: Generated<number>;
  joined_at: Date;
  confirmed_at: Generated<Date | null>;
  answer_key_hash: Generated<string | null>;
};

type RankNodeTable = {
  shift: number;
  node: number;
  sums: number[];
};

type IdempotencyAnswerTable = {
  key_hash: string;
  request_hash: string;
  status_code: number;
  body: string;
  member_id: string;
  created_at: Date;
};

type MaskSizeTable = {
  name: string;
  ordinal: number;
  stock: number;
};

type AllocationTable = {
  id: Generated<string>;
  size: string;
  quantity: number;
  note: string;
  allocated_at: Generated<Date>;
  released_at: Generated<Date | null>;
  release_note: Generated<string | null>;
};

type StatusMailTable = {
  member_id: string;
  sent_at: Date;
};

type MailToldTable = {
  member_id: string;
  referral_count: Generated<number>;
  friends_at: Date | null;
  tier_level: Generated<number>;
  hundred_at: Date | null;
};

type MailNewsTable = {
  member_id: string;
  look_after: Generated<Date>;
};

type MailBatchTable = {
  first_sequence: number;
  kind: string;
  member_ids: string[];
};

type HundredMemberTable = {
  member_id: string;
};

type HundredLookTable = {
  is_only_row: Generated<boolean>;
  next_sequence: Generated<number>;
};

type MailSuppressionTable = {
  address_hash: string;
  reason: 'stopped' | 'bounced' | 'complained';
  since: Generated<Date>;
};

type MailPaceTable = {
  is_only_row: Generated<boolean>;
  next_at: Generated<Date>;
};

type SecretCheckTable = {
  is_only_row: Generated<boolean>;
  fingerprint: string;
};

type LimitCountTable = {
  rule: string;
  key: string;
  began_at: Date;
  count: number;
  expires_at: Date;
  settled_at: Generated<Date>;
};
