import type { ColumnType, Generated, Selectable, Updateable } from 'kysely';
import type { Amendment, Announcement } from '../../../contract/drop/draw-record.ts';
import type {
  CheckoutState,
  DropState,
  OfferState,
  ReleaseReason,
} from '../../../contract/drop/states.ts';
import type { ScheduledStep } from '../../../contract/drop/step-words.ts';
import type { PaymentState } from '../../../contract/operator/drop/till.ts';
import type { ImportMapping, ListImport } from '../../../contract/operator/imports/list-import.ts';

/** An object is written as JSON, but an array as one of PostgreSQL's. */
type Written<Value> = Value extends readonly unknown[]
  ? string
  : Value extends object
    ? Value | string
    : string;
type Json<Value = unknown> = ColumnType<Value, Written<Value>, Written<Value>>;

export type DropRow = Selectable<FeatureTables['mask_drop']>;
export type DropChange = Updateable<FeatureTables['mask_drop']>;
export type ScheduledStepRow = Selectable<FeatureTables['scheduled_step']>;
export type OfferRow = Selectable<FeatureTables['offer']>;
export type CampaignRow = Selectable<FeatureTables['campaign']>;

type ImportState =
  | 'receiving'
  | 'refused'
  | 'received'
  | 'checking'
  | 'checked'
  | 'importing'
  | 'imported';

export type FeatureTables = {
  mask_drop: {
    number: number;
    state: Generated<DropState>;
    time_zone: Generated<string>;
    is_schedule_public: Generated<boolean>;
    frozen_at: Date | null;
    salt: string | null;
    list_hash: string | null;
    announced_at: Date | null;
    announcement: Json<Announcement> | null;
    announcement_hash: string | null;
    amendments: Json<Amendment[]> | null;
    evidence: string | null;
    selected_at: Date | null;
    offering_at: Date | null;
    offer_minutes: Generated<number>;
    pay_hours: Generated<number>;
    quiet_from: string | null;
    quiet_until: string | null;
    others_told_until: number | null;
    closed_at: Date | null;
    swept_at: Date | null;
    paused_at: Date | null;
    paused_by: 'operator' | 'clock' | 'copy' | null;
    enter_until: Date | null;
    refuses_prepaid: Generated<boolean>;
    entrants_told_to: Generated<number>;
    entrants_reminded_to: Generated<number>;
  };
  scheduled_step: {
    drop_number: number;
    step: ScheduledStep;
    input: Json<Record<string, unknown>>;
    due_at: Date;
    time_zone: string;
    state: Generated<'scheduled' | 'done' | 'failed' | 'cancelled'>;
    failure: string | null;
    settled_at: Date | null;
    revision: Generated<number>;
    revised_at: Generated<Date>;
  };
  entrant: {
    drop_number: number;
    position: number;
    member_id: string;
    points: number;
    held_credits: number;
    sizes: string[];
    takes_any: boolean;
    losses: Generated<number>;
    weight: number | null;
    draw_order: number | null;
    has_entered: Generated<boolean>;
    chosen_size: string | null;
  };
  offer: {
    id: Generated<string>;
    drop_number: number;
    member_id: string;
    size: string;
    state: Generated<OfferState>;
    wave: number;
    offered_at: Generated<Date>;
    expires_at: Date;
    reminded_at: Date | null;
    settled_at: Date | null;
    paid_at: Date | null;
    handed_at: Date | null;
    code: string | null;
    shop_order: string | null;
    door_scan: string | null;
    scanned_by: string | null;
    mailed_at: Date | null;
    remind_at: Date | null;
  };
  till_account: {
    id: Generated<string>;
    kind: 'link' | 'stripe' | 'shopify';
    far_id: string | null;
    is_live: boolean | null;
    settings: Json | null;
    keys: string | null;
    chosen_at: Generated<Date>;
    left_at: Date | null;
    compare_at: Generated<Date>;
    compared_at: Date | null;
    failure: string | null;
  };
  checkout: {
    offer_id: string;
    pay_by: Date;
    state: Generated<CheckoutState>;
    attempt: Generated<number>;
    size: string | null;
    ends_at: Date | null;
    far_id: string | null;
    link: string | null;
    next_at: Generated<Date>;
    held_until: Generated<Date>;
    failures: Generated<number>;
    failure: string | null;
    remind_at: Date | null;
    account_id: string | null;
    cents: number | null;
    currency: string | null;
    drop_number: number | null;
    member_id: string | null;
    card: string | null;
    capture_before: Date | null;
    why: ReleaseReason | null;
  };
  till_payment: {
    id: string;
    account_id: string;
    offer_id: string | null;
    reference: string;
    cents: number | null;
    currency: string | null;
    refunded_cents: Generated<number>;
    disputed_cents: Generated<number>;
    state: PaymentState;
    why: string | null;
    seen_at: Generated<Date>;
    next_at: Generated<Date>;
    held_until: Generated<Date>;
    failures: Generated<number>;
    failure: string | null;
  };
  parcel: {
    offer_id: string;
    member_id: string;
    address: Json | null;
    asked_at: Date | null;
    answered_at: Date | null;
    email: string | null;
    sent_at: Date | null;
    carrier: string | null;
    tracking: string | null;
  };
  reward: {
    member_id: string;
    tier_level: number;
    state: 'asked' | 'answered' | 'sent';
    details: Json | null;
    code: string | null;
    asked_at: Generated<Date>;
    sent_at: Date | null;
  };
  reward_budget: {
    tier_level: number;
    units: number;
    cents_per_unit: number;
  };
  allocation: {
    id: Generated<string>;
    size: string;
    quantity: number;
    note: string;
    allocated_at: Generated<Date>;
    released_at: Generated<Date | null>;
    release_note: Generated<string | null>;
  };
  campaign: {
    id: Generated<number>;
    state: Generated<'draft' | 'sending' | 'sent' | 'cancelled'>;
    revision: Generated<number>;
    subject: string;
    body: string;
    parsed: Json | null;
    filter: Json;
    created_at: Generated<Date>;
    started_at: Date | null;
    ended_at: Date | null;
    before_sequence: number | null;
    found_to: Generated<string>;
    queued_to: Generated<string>;
    is_all_found: Generated<boolean>;
    recipients: Generated<number>;
    sent: Generated<number>;
    kept: Generated<number>;
    stopping_at: Date | null;
    failed: Generated<number>;
    suppressed: Generated<number>;
    departed: Generated<number>;
  };
  list_import: {
    id: Generated<string>;
    created_at: Generated<Date>;
    file_name: string;
    bytes: number;
    received: Generated<number>;
    state: Generated<ImportState>;
    problem: string | null;
    file: Json<NonNullable<ListImport['file']>> | null;
    mapping: Json<ImportMapping> | null;
    read_bytes: Generated<number>;
    report: Json<NonNullable<ListImport['report']>> | null;
  };
};
