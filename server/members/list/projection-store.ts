import { type RawBuilder, sql } from 'kysely';
import { FIELD_NAMES, type FieldName, memberField } from '../../../contract/member-fields.ts';
import type { ListedMember } from '../../../contract/operator/member-list.ts';
import { SOURCE_FIELDS } from '../../../contract/sources.ts';
import { isoTime } from '../../db/iso-time.ts';

/** They follow from the others. */
const DERIVED = ['points', 'tier_level'] as const satisfies readonly FieldName[];

export type MemberRow = Pick<ListedMember, Exclude<FieldName, (typeof DERIVED)[number]>>;

const EXPRESSIONS: Partial<Readonly<Record<FieldName, RawBuilder<unknown>>>> = {
  confirmed_referrals: sql`member.referral_count - counting_friends(0, member.unconfirmed)`,
  referred_by: sql`referrer.referral_code`,
  mail_state: sql`coalesce(suppression.reason, 'sending')`,
};

/** Selects a MemberRow from `member` with its standing and position, and `memberJoins`. */
export const memberColumns = sql.join(
  FIELD_NAMES.filter((name) => !DERIVED.some((one) => one === name)).map(
    (name) => sql`${EXPRESSIONS[name] ?? columnOf(name)} as ${sql.ref(name)}`,
  ),
);

function columnOf(name: FieldName): RawBuilder<unknown> {
  const table = SOURCE_FIELDS.some((one) => one === name) ? 'source' : 'member';
  const column = sql.ref(`${table}.${name}`);
  return memberField(name).form === 'time' ? isoTime(column) : sql`${column}`;
}

export const memberJoins = sql`
  join source on source.id = coalesce(member.source_id, 0)
  left join lateral (
    select referral_code from member inviting where inviting.id = member.referrer_id offset 0
  ) referrer on true
  left join lateral (
    select reason from mail_suppression where member_id = member.id limit 1
  ) suppression on true`;
