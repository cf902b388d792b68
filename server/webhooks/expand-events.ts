import { createHash } from 'node:crypto';
import type { Tier } from '../../brand/brand-shape.ts';
import type { EventKind } from '../../contract/operator/webhooks/events.ts';

export type LineEvent = {
  readonly sequence: number;
  /** `joined`, `credited`, `left`, `returned`, or a kind of event about an offer or pass. */
  readonly kind: string;
  readonly happened_at: string;
  readonly member_ids: readonly string[];
  readonly referrer_ids: readonly (string | null)[] | null;
  readonly referral_counts: readonly (number | null)[] | null;
  readonly offer_id: string | null;
};

/** Ids alone: the body is composed from them at every attempt. */
export type WebhookEvent = {
  readonly event_id: string;
  readonly kind: string;
  readonly happened_at: string;
  readonly sequence: number;
  readonly ordinal: number;
  readonly member_id: string | null;
  readonly friend_id: string | null;
  readonly referral_count: number | null;
  readonly offer_id: string | null;
};

const EVENTS_PER_MEMBER = 3;

/** What the line must record for these kinds of events, in alphabetical order. */
export function recordedFor(kinds: readonly string[]): string[] {
  const recorded = kinds.flatMap((kind) =>
    kind === 'member.credited' || kind === 'tier.reached'
      ? ['joined', 'credited']
      : kind.replace(/^member\./, ''),
  );
  return [...new Set(recorded)].sort();
}

export function expandEvents(row: LineEvent, tiers: readonly Tier[]): WebhookEvent[] {
  const { sequence, happened_at, offer_id } = row;
  return row.member_ids.flatMap((memberId, index) => {
    const referrerId = row.referrer_ids?.[index] ?? null;
    const referralCount = row.referral_counts?.[index] ?? null;
    const event = (kind: EventKind, place: number, member_id = memberId): WebhookEvent => ({
      event_id: eventIdOf(row, kind, memberId),
      kind,
      happened_at,
      sequence,
      ordinal: index * EVENTS_PER_MEMBER + place,
      member_id,
      friend_id: place === 0 ? null : memberId,
      referral_count: place === 0 ? null : referralCount,
      offer_id,
    });
    const kind = (row.kind.includes('.') ? row.kind : `member.${row.kind}`) as EventKind;
    const events = kind === 'member.credited' ? [] : [event(kind, 0)];
    if (referrerId === null) return events;
    events.push(event('member.credited', 1, referrerId));
    if (tiers.some((tier) => tier.requiredReferrals === referralCount))
      events.push(event('tier.reached', 2, referrerId));
    return events;
  });
}

/** With the time ids stay unique when a restored backup repeats numbers. */
function eventIdOf(row: LineEvent, kind: EventKind, memberId: string): string {
  const about = [kind, row.sequence, row.happened_at, memberId].join('\0');
  return `evt_${createHash('sha256').update(about).digest('base64url').slice(0, 27)}`;
}
