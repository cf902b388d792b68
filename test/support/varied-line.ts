/** A small line with every state that a filter knows, and filters applied in JavaScript. */
import fc from 'fast-check';
import { brand } from '../../brand/brand.ts';
import { MAIL_STATES, MEMBER_CREDITS, NO_SOURCE } from '../../contract/member-states.ts';
import type { MemberFilter } from '../../contract/operator/member-filter.ts';
import type { Member } from '../../contract/schemas.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { openJoinQueue } from '../../server/line/join/join.ts';
import type { TestDatabase } from './engines.ts';

export const VARIED_MEMBERS = 240;
export const variedTiers = [
  { requiredReferrals: 1, reward: 'a', kind: 'plain' as const },
  { requiredReferrals: 3, reward: 'b', kind: 'plain' as const },
];

export type VariedMember = {
  id: string;
  position: number;
  sequence: number;
  email: string;
  referral_code: string;
  referral_count: number;
  credit: string;
  joined_at: Date;
  confirmed_at: Date | null;
  mail: string;
  source: string | null;
  host: string | null;
};

/** Two plain members for each that was invited by an earlier one, with every state somewhere. */
export async function seedVariedLine({ database }: TestDatabase): Promise<VariedMember[]> {
  await prepareSizes(database, brand);
  const queue = openJoinQueue({ database, brand });
  const codes: string[] = [];
  for (let index = 0; index < VARIED_MEMBERS; index += 1) {
    const referredBy = index % 3 === 2 ? (codes[Math.floor(index / 9)] ?? null) : null;
    const domain = index % 5 === 0 ? 'bücher.example' : 'mail.example';
    const email = `${index % 2 === 0 ? 'björn' : 'Ada'}.${index}@${domain}`;
    const { body } = await queue.join({ email, referredBy, idempotencyKey: null });
    codes.push((JSON.parse(body) as Member).referral_code);
  }
  await queue.close();
  await database.runSql(`
    do $$ begin
      perform set_credits(array_agg(id), state)
      from (
        select id, (array['pending', 'held', 'refused'])[1 + sequence / 12 % 3] as state
        from member where referrer_id is not null and sequence % 4 = 0
      ) varied
      group by state;
    end $$;
    select confirm_member(id) from member where sequence % 7 = 0;
    update member set joined_at = timestamptz '2026-05-01' + sequence * interval '1 hour';
    insert into source (id, utm_source, referring_host, key)
      values (2, 'instagram', 'l.instagram.com', e'instagram\\n\\n\\nl.instagram.com\\n'),
        (3, 'newsletter', '', e'newsletter\\n\\n\\n\\n'),
        (4, '', 'l.instagram.com', e'\\n\\n\\nl.instagram.com\\n');
    update member set source_id = sequence % 8 where sequence % 8 in (2, 3, 4);
    insert into mail_suppression (address_hash, reason, member_id)
      select 'h' || sequence, (array['stopped', 'bounced', 'complained'])[1 + sequence % 3], id
      from member where sequence % 11 = 0`);
  const { rows } = await database.runSql(`
    select member.id, sequence, row_number() over (order by sort_key) as position,
      email_identity as email,
      referral_code, referral_count, credit, joined_at, confirmed_at,
      coalesce(reason, 'sending') as mail,
      utm_source as source, referring_host as host
    from member join standing on standing.member_id = member.id
    left join source on source.id = source_id
    left join mail_suppression on mail_suppression.member_id = member.id`);
  return rows as VariedMember[];
}

export function isMatch(row: VariedMember, filter: MemberFilter): boolean {
  const {
    text = '',
    positions,
    tier,
    source,
    credit,
    joined_from,
    joined_to,
    confirmed,
    mail,
  } = filter;
  const stands = (range: string) => {
    const [, least = '0', , most = least] = /^(\d+)(-(\d*))?$/.exec(range) ?? [];
    return row.position >= Number(least) && (most === '' || row.position <= Number(most));
  };
  const isText = text.startsWith('#')
    ? stands(text.slice(1))
    : [row.id, row.referral_code].includes(text) || row.email.includes(text);
  const level = variedTiers.filter(
    ({ requiredReferrals }) => requiredReferrals <= row.referral_count,
  );
  return (
    isText &&
    (positions === undefined || stands(positions)) &&
    (tier === undefined || level.length === tier) &&
    (source === undefined ||
      (source === NO_SOURCE ? row.source === null : [row.source, row.host].includes(source))) &&
    (credit === undefined || row.credit === credit) &&
    (joined_from === undefined || row.joined_at >= new Date(joined_from)) &&
    (joined_to === undefined || row.joined_at < new Date(joined_to)) &&
    (confirmed === undefined || (row.confirmed_at !== null) === confirmed) &&
    (mail === undefined || row.mail === mail)
  );
}

/** Filters that match many, few or none of these members. */
export function filtersOf(line: readonly VariedMember[]): fc.Arbitrary<MemberFilter> {
  const day = fc
    .integer({ min: 0, max: 11 })
    .map((days) => `2026-05-${String(days + 1).padStart(2, '0')}`);
  const range = fc
    .tuple(fc.nat({ max: VARIED_MEMBERS + 2 }), fc.nat({ max: VARIED_MEMBERS }), fc.boolean())
    .map(([from, more, isOpen]) => `${from}-${isOpen ? '' : from + more}`);
  const text = fc.oneof(
    fc.constantFrom('ada', 'björn', '.1', 'mail', 'xn--bcher', '@', '%', '_', 'nobody'),
    fc.integer({ min: 1, max: VARIED_MEMBERS + 2 }).map((position) => `#${position}`),
    range.map((positions) => `#${positions}`),
    fc.nat({ max: VARIED_MEMBERS - 1 }).map((index) => line[index]?.referral_code ?? ''),
    fc.nat({ max: VARIED_MEMBERS - 1 }).map((index) => line[index]?.id ?? ''),
  );
  return fc.record(
    {
      text,
      positions: range,
      tier: fc.integer({ min: 0, max: 2 }),
      source: fc.constantFrom('instagram', 'l.instagram.com', 'newsletter', 'nowhere', NO_SOURCE),
      credit: fc.constantFrom(...MEMBER_CREDITS),
      joined_from: day,
      joined_to: day,
      confirmed: fc.boolean(),
      mail: fc.constantFrom(...MAIL_STATES),
    },
    { requiredKeys: [] },
  );
}
