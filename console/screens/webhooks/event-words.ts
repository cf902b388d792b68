import type { EventKind } from '../../../contract/operator/webhooks/webhooks.ts';

const WORDS: Readonly<Record<EventKind, string>> = {
  'member.joined': 'A member joined',
  'member.credited': 'A member was credited for a friend',
  'tier.reached': 'A member reached a tier',
  'member.left': 'A member left',
  'member.returned': 'A removed member came back',
  'offer.made': 'A member was offered a mask',
  'offer.accepted': 'A member accepted an offer, or got another pass',
  'offer.declined': 'A member declined an offer',
  'offer.expired': 'An offer ended without an answer',
  'pass.redeemed': 'The shop redeemed a pass',
  'pass.cancelled': 'A pass was cancelled',
};

/** Every kind of event, in the order of a form. */
export const eventWords = (Object.keys(WORDS) as EventKind[]).map((kind) => ({
  kind,
  words: WORDS[kind],
}));
