import type { Generated, Selectable } from 'kysely';
import type { MemberCredit } from '../../../contract/member-states.ts';
import type { CampaignTables } from './campaign-tables.ts';
import type { CreditTables } from './credit-tables.ts';
import type { DropTables } from './drop-tables.ts';
import type { ImportTables } from './import-tables.ts';
import type { Json } from './json-column.ts';
import type { OperatorTables } from './operator-tables.ts';
import type { TraceTables } from './trace-tables.ts';
import type { WebhookTables } from './webhook-tables.ts';

type OtherTables = CreditTables &
  DropTables &
  TraceTables &
  OperatorTables &
  CampaignTables &
  WebhookTables &
  ImportTables;

/** The tables of changes/ as Kysely sees them. A bigint reads back as a number on both engines. */
export type Tables = OtherTables & {
  line_state: LineTable;
  member: MemberTable;
  source: SourceTable;
  standing: StandingTable;
  visit_count: VisitCountTable;
  event_count: EventCountTable;
  join_count: JoinCountTable;
  cohort_count: CohortCountTable;
  friend_wait: FriendWaitTable;
  opened_invite: OpenedInviteTable;
  join_cursor: JoinCursorTable;
  count_node: CountNodeTable;
  referral_tally: ReferralTallyTable;
  mask_size: MaskSizeTable;
  allocation: AllocationTable;
  status_link_sent: StatusLinkSentTable;
  postponed_mail: PostponedMailTable;
  notification_state: NotificationStateTable;
  notification_due: NotificationDueTable;
  mail_outbox: MailOutboxTable;
  top100_notified: Top100NotifiedTable;
  top100_cursor: Top100CursorTable;
  mail_suppression: MailSuppressionTable;
  mail_pace: MailPaceTable;
  secret_check: SecretCheckTable;
  limit_count: LimitCountTable;
  member_note: MemberNoteTable;
  audit_entry: AuditEntryTable;
  audit_head: AuditHeadTable;
  undo_record: UndoRecordTable;
  removed_member: RemovedMemberTable;
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
  recorded_events: Generated<string[]>;
  pause_message: string | null;
  paused_at: Date | null;
};

type MemberTable = {
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

type SourceTable = {
  id: number;
  utm_source: Generated<string>;
  utm_medium: Generated<string>;
  utm_campaign: Generated<string>;
  referring_host: Generated<string>;
  via: Generated<string>;
};

type VisitCountTable = {
  quarter: Date;
  page: 'landing' | 'invite';
  source_id: number;
  visits: number;
};

type EventCountTable = {
  quarter: Date;
  event: string;
  events: number;
};

type JoinCountTable = {
  quarter: Date;
  source_id: number;
  joins: number;
  invited: number;
};

type CohortCountTable = {
  quarter: Date;
  shared: Generated<number>;
  friends: Generated<number>;
  with_friend: Generated<number>;
};

type FriendWaitTable = {
  minutes: number;
  members: number;
};

type OpenedInviteTable = {
  member_id: string;
  has_friend: boolean;
};

type JoinCursorTable = {
  is_only_row: Generated<boolean>;
  next_sequence: Generated<number>;
};

type StandingTable = {
  member_id: string;
  sort_key: number;
  referral_count: Generated<number>;
};

type CountNodeTable = {
  node: number;
  shift: number;
  sums: number[];
};

type ReferralTallyTable = {
  referral_count: number;
  members: number;
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

type StatusLinkSentTable = {
  member_id: string;
  sent_at: Date;
};

type PostponedMailTable = {
  member_id: string;
  kind: string;
  due_at: Date;
  created_at: Generated<Date>;
};

type NotificationStateTable = {
  member_id: string;
  referral_count: Generated<number>;
  friends_notified_at: Date | null;
  tier_level: Generated<number>;
  top100_notified_at: Date | null;
};

type NotificationDueTable = {
  member_id: string;
  due_after: Generated<Date>;
};

type MailOutboxTable = {
  first_sequence: number;
  kind: string;
  member_ids: string[];
};

type Top100NotifiedTable = {
  member_id: string;
};

type Top100CursorTable = {
  is_only_row: Generated<boolean>;
  next_sequence: Generated<number>;
};

type MailSuppressionTable = {
  address_hash: string;
  reason: 'stopped' | 'bounced' | 'complained';
  since: Generated<Date>;
  member_id: Generated<string | null>;
};

type MailPaceTable = {
  is_only_row: Generated<boolean>;
  next_at: Generated<Date>;
  reserved_at: Generated<Date>;
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

type MemberNoteTable = {
  id: Generated<string>;
  member_id: string;
  author_kind: string;
  author_id: string | null;
  author_name: string;
  body: string;
  written_at: Generated<Date>;
  edited_at: Date | null;
};

type AuditEntryTable = {
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

type AuditHeadTable = {
  is_only_row: Generated<boolean>;
  sequence: Generated<number>;
  hash: Generated<Uint8Array>;
};

type UndoRecordTable = {
  audit_sequence: number;
  member_id: string | null;
  data: Json;
  until: Date;
};

type RemovedMemberTable = {
  member_id: string;
  removal: string;
  until: Date;
  email_identity: string;
  member: Json;
  side_rows: Json;
  friends: Json;
  address_hash: string | null;
};
