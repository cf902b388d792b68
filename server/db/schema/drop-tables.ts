/**
 * The tables of 0019-drop.sql to 0021-rewards.sql, 0023-shop-orders.sql and
 * 0024-scheduled-steps.sql, as in tables.ts.
 */
import type { Generated, Selectable, Updateable } from 'kysely';
import type { DropState, OfferState } from '../../../contract/drop/states.ts';
import type { Json } from './json-column.ts';

export type DropTables = {
  mask_drop: MaskDropTable;
  scheduled_step: ScheduledStepTable;
  size_wish: SizeWishTable;
  entrant: EntrantTable;
  offer: OfferTable;
  shop_code: ShopCodeTable;
  reward: RewardTable;
  reward_budget: RewardBudgetTable;
};

export type DropRow = Selectable<MaskDropTable>;
export type ScheduledStepRow = Selectable<ScheduledStepTable>;
export type OfferRow = Selectable<OfferTable>;
export type DropChange = Updateable<MaskDropTable>;

type MaskDropTable = {
  number: number;
  state: Generated<DropState>;
  time_zone: Generated<string>;
  is_schedule_public: Generated<boolean>;
  frozen_at: Date | null;
  salt: string | null;
  list_hash: string | null;
  announced_at: Date | null;
  announcement: Json | null;
  announcement_hash: string | null;
  evidence: string | null;
  selected_at: Date | null;
  offering_at: Date | null;
  offer_minutes: Generated<number>;
  quiet_from: string | null;
  quiet_until: string | null;
  others_told_until: number | null;
  closed_at: Date | null;
};

type ScheduledStepTable = {
  drop_number: number;
  step: 'freeze-drop' | 'announce-draw' | 'select-entrants' | 'start-offers' | 'close-drop';
  input: Json;
  due_at: Date;
  time_zone: string;
  state: Generated<'scheduled' | 'done' | 'failed' | 'cancelled'>;
  failure: string | null;
  settled_at: Date | null;
  revision: Generated<number>;
  revised_at: Generated<Date>;
};

type SizeWishTable = {
  member_id: string;
  sizes: string[];
  takes_any: boolean;
  wished_at: Generated<Date>;
};

type EntrantTable = {
  drop_number: number;
  position: number;
  member_id: string;
  points: number;
  held_credits: number;
  sizes: string[];
  takes_any: boolean;
  draw_order: number | null;
  chosen_size: string | null;
};

type OfferTable = {
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
  redeemed_at: Date | null;
  code: string | null;
  shop_order: string | null;
};

type ShopCodeTable = {
  code: string;
  size: string | null;
  tier_level: number | null;
  imported_at: Generated<Date>;
  taken_by: string | null;
};

type RewardTable = {
  member_id: string;
  tier_level: number;
  state: 'asked' | 'answered' | 'sent';
  details: Json | null;
  code: string | null;
  asked_at: Generated<Date>;
  sent_at: Date | null;
};

type RewardBudgetTable = {
  tier_level: number;
  units: number;
  cents_per_unit: number;
};
