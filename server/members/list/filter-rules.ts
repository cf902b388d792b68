import { domainToASCII } from 'node:url';
import type { Tier } from '../../../brand/brand-shape.ts';
import { FILTERED_FIELDS, type FilteredField } from '../../../contract/member-fields.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import { readReferralCode } from '../../../contract/referral-code-rules.ts';
import { readMemberId } from '../../line/member-id-rules.ts';
import { readEmail } from '../../mail/email-rules.ts';
import { readMoment } from '../../moment-field-rules.ts';
import { invalidField } from '../../problem.ts';

export type Criteria = ReturnType<typeof readFilter>;
export type TextCriterion = ReturnType<typeof readText>;

/** Both ends included. `most` is infinite for the rest of the line. */
type PositionRange = { readonly least: number; readonly most: number };

type ReferralRange = { readonly least: number; readonly most: number | null };

const FIRST = /^(?:first|top)\s+#?(\d{1,15})$/i;
const RANGE = /^#?\s*(\d{1,15})(\s*[-–]\s*#?(\d{1,15})?)?$/;
const MARKED = /^(?:#|first\s|top\s)/i;

export function readFilter(filter: MemberFilter, tiers: readonly Tier[]) {
  const text = filter.text?.trim();
  const searched = text !== undefined && MARKED.test(text) ? readPositions(text) : null;
  return {
    text: text === undefined || searched !== null ? null : readText(text),
    positions: bothOf(searched, readPositionsField(filter.positions)),
    referrals: filter.tier === undefined ? null : referralsOf(filter.tier, tiers),
    source: filter.source?.normalize('NFC').trim().toLowerCase() ?? null,
    ...valuesOf(filter),
    joinedFrom: readMoment('joined_from', filter.joined_from),
    joinedTo: readMoment('joined_to', filter.joined_to),
    isConfirmed: filter.confirmed ?? null,
    mail: filter.mail ?? null,
  };
}

type Values = { readonly [Name in FilteredField]: NonNullable<MemberFilter[Name]> | null };

function valuesOf(filter: MemberFilter): Values {
  const entries = FILTERED_FIELDS.map((name) => [name, filter[name] ?? null]);
  return Object.fromEntries(entries) as Values;
}

export function countCriteria(criteria: Criteria): number {
  const { joinedFrom, joinedTo, ...others } = criteria;
  const given = [joinedFrom ?? joinedTo, ...Object.values(others)];
  return given.filter((criterion) => criterion !== null).length;
}

function readText(text: string) {
  return { id: readMemberId(text), code: readReferralCode(text), parts: partsOf(text) };
}

function readPositions(text: string): PositionRange | null {
  const plain = text.replaceAll(',', '');
  const [, first] = FIRST.exec(plain) ?? [];
  if (first !== undefined) return { least: 1, most: Number(first) };
  const [, from, dash, to = Infinity] = RANGE.exec(plain) ?? [];
  if (from === undefined) return null;
  const range = { least: Number(from), most: Number(dash === undefined ? from : to) };
  if (range.most < range.least) throw invalidField(`Positions go upwards, such as ${to}-${from}.`);
  return range;
}

function readPositionsField(text: string | undefined): PositionRange | null {
  if (text === undefined) return null;
  const range = readPositions(text.trim());
  if (range !== null) return range;
  throw invalidField(
    'The field "positions" must be such as 1-100, first 100, 128, or 101- for all behind.',
  );
}

function bothOf(one: PositionRange | null, other: PositionRange | null): PositionRange | null {
  if (one === null || other === null) return one ?? other;
  return { least: Math.max(one.least, other.least), most: Math.min(one.most, other.most) };
}

/** Identities are lower case, with domains in ASCII: "bücher" stands there as "xn--bcher-kva". */
function partsOf(text: string): string[] {
  const part = readEmail(text)?.identity ?? text.normalize('NFC').toLowerCase();
  const ascii = /^[\p{L}\p{M}\p{N}.-]+$/u.test(part) ? domainToASCII(part) : '';
  return ascii === '' || ascii === part || /^[\d.]+$/.test(ascii) ? [part] : [part, ascii];
}

function referralsOf(tier: number, tiers: readonly Tier[]): ReferralRange {
  const least = tier === 0 ? 0 : tiers[tier - 1]?.requiredReferrals;
  if (least === undefined)
    throw invalidField(`There is no tier ${tier}: the last is ${tiers.length}.`);
  const next = tiers[tier]?.requiredReferrals;
  return { least, most: next === undefined ? null : next - 1 };
}
