/** Which events follow from what the line recorded, and their ids. */
import { createHash } from 'node:crypto';
import type { Tier } from '../../brand/brand-shape.ts';
import type { EventKind } from '../../contract/operator/webhooks/webhooks.ts';

const OFFER_KINDS = [
  'offer.made',
  'offer.accepted',
  'offer.declined',
  'offer.expired',
  'pass.redeemed',
  'pass.cancelled',
] as const satisfies readonly EventKind[];
type OfferEventKind = (typeof OFFER_KINDS)[number];

/** What record_event and note_offer write. */
export type RecordedKind = 'joined' | 'credited' | 'left' | 'returned' | OfferEventKind;

/** A row of line_event. */
export type LineEvent = {
  readonly sequence: number;
  readonly kind: string;
  /** ISO 8601, with microseconds. */
  readonly happened_at: string;
  readonly member_ids: readonly string[];
  readonly referrer_ids: readonly (string | null)[] | null;
  readonly referral_counts: readonly (number | null)[] | null;
  readonly offer_id: string | null;
};

/** By ids: what it says is read when it is sent. */
export type WebhookEvent = {
  /** Stable, for de-duplication: the `webhook-id`. */
  readonly eventId: string;
  readonly kind: EventKind;
  /** In the order of `ordinal` within one `sequence`. */
  readonly ordinal: number;
  readonly memberId: string;
  /** The friend of a credit. */
  readonly friendId: string | null;
  /** The credits that a member has with this one. */
  readonly referralCount: number | null;
  readonly offerId: string | null;
};

const RECORDED_FOR: Readonly<Record<EventKind, readonly RecordedKind[]>> = {
  'member.joined': ['joined'],
  'member.credited': ['joined', 'credited'],
  'tier.reached': ['joined', 'credited'],
  'member.left': ['left'],
  'member.returned': ['returned'],
  'offer.made': ['offer.made'],
  'offer.accepted': ['offer.accepted'],
  'offer.declined': ['offer.declined'],
  'offer.expired': ['offer.expired'],
  'pass.redeemed': ['pass.redeemed'],
  'pass.cancelled': ['pass.cancelled'],
};

/** One member of a row has at most so many events. */
const EVENTS_PER_MEMBER = 3;

/** What the line must record for these kinds of events, in alphabetical order. */
export function recordedFor(kinds: readonly EventKind[]): RecordedKind[] {
  return [...new Set(kinds.flatMap((kind) => RECORDED_FOR[kind]))].sort();
}

/**
 * The events of a row, in the order of their happening: a friend joins, the referrer is credited,
 * and with that reaches a tier.
 */
export function expandEvents(row: LineEvent, tiers: readonly Tier[]): WebhookEvent[] {
  return row.member_ids.flatMap((memberId, index) => {
    const referrerId = row.referrer_ids?.[index] ?? null;
    const referralCount = row.referral_counts?.[index] ?? null;
    const event = (kind: EventKind, place: number, about: string, friendId: string | null) => ({
      eventId: eventIdOf(row, kind, memberId),
      kind,
      ordinal: index * EVENTS_PER_MEMBER + place,
      memberId: about,
      friendId,
      referralCount: friendId === null ? null : referralCount,
      offerId: row.offer_id,
    });
    const offerKind = OFFER_KINDS.find((kind) => kind === row.kind);
    if (offerKind !== undefined) return [event(offerKind, 0, memberId, null)];
    if (row.kind === 'left') return [event('member.left', 0, memberId, null)];
    if (row.kind === 'returned') return [event('member.returned', 0, memberId, null)];
    const events = row.kind === 'joined' ? [event('member.joined', 0, memberId, null)] : [];
    if (referrerId === null) return events;
    events.push(event('member.credited', 1, referrerId, memberId));
    if (tiers.some((tier) => tier.requiredReferrals === referralCount))
      events.push(event('tier.reached', 2, referrerId, memberId));
    return events;
  });
}

/** The time keeps ids unique when a restored backup repeats numbers. */
function eventIdOf(row: LineEvent, kind: EventKind, memberId: string): string {
  const about = [kind, row.sequence, row.happened_at, memberId].join('\0');
  return `evt_${createHash('sha256').update(about).digest('base64url').slice(0, 27)}`;
}
