import { domainToASCII } from 'node:url';
import type { Tier } from '../../../brand/brand-shape.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import { readReferralCode } from '../../../contract/referral-code-rules.ts';
import { readMemberId } from '../../line/member-id-rules.ts';
import { readEmail } from '../../mail/email-rules.ts';
import { readMoment } from '../../moment-field-rules.ts';
import { Problem } from '../../problem.ts';

export type Criteria = {
  readonly text: TextCriterion | null;
  readonly referrals: ReferralRange | null;
  /** A value of a source, in lower case, or NO_SOURCE. */
  readonly source: string | null;
  readonly credit: NonNullable<MemberFilter['credit']> | null;
  readonly joinedFrom: Date | null;
  readonly joinedTo: Date | null;
  readonly isConfirmed: boolean | null;
  readonly mail: NonNullable<MemberFilter['mail']> | null;
};

export type TextCriterion =
  | { readonly kind: 'position'; readonly position: number }
  | {
      readonly kind: 'words';
      readonly id: string | null;
      readonly code: string | null;
      readonly parts: readonly string[];
    };

type ReferralRange = { readonly least: number; readonly most: number | null };

const POSITION = /^#\s*(\d{1,15})$/;

/** Throws Problem invalid_field. `tiers` are those of the brand, lowest first. */
export function readFilter(filter: MemberFilter, tiers: readonly Tier[]): Criteria {
  return {
    text: filter.text === undefined ? null : readText(filter.text),
    referrals: filter.tier === undefined ? null : referralsOf(filter.tier, tiers),
    source: filter.source?.normalize('NFC').trim().toLowerCase() ?? null,
    credit: filter.credit ?? null,
    joinedFrom: readMoment('joined_from', filter.joined_from),
    joinedTo: readMoment('joined_to', filter.joined_to),
    isConfirmed: filter.confirmed ?? null,
    mail: filter.mail ?? null,
  };
}

export function countCriteria(criteria: Criteria): number {
  const { joinedFrom, joinedTo, ...others } = criteria;
  const given = [joinedFrom ?? joinedTo, ...Object.values(others)];
  return given.filter((criterion) => criterion !== null).length;
}

function readText(text: string): TextCriterion {
  const trimmed = text.trim();
  const [, position] = POSITION.exec(trimmed) ?? [];
  if (position !== undefined) return { kind: 'position', position: Number(position) };
  return {
    kind: 'words',
    id: readMemberId(trimmed),
    code: readReferralCode(trimmed),
    parts: partsOf(trimmed),
  };
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
    throw new Problem('invalid_field', `There is no tier ${tier}: the last is ${tiers.length}.`);
  const next = tiers[tier]?.requiredReferrals;
  return { least, most: next === undefined ? null : next - 1 };
}
