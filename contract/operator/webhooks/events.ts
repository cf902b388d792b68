export const EVENTS = {
  'member.joined': 'A member joined',
  'member.credited': 'A member was credited for a friend',
  'tier.reached': 'A member reached a tier',
  'member.left': 'A member left',
  'member.returned': 'A removed member came back',
  'offer.made': 'A member was offered a mask',
  'offer.accepted': 'A member accepted an offer, or got another pass',
  'offer.declined': 'A member declined an offer',
  'offer.expired': 'An offer ended without an answer',
  'pass.redeemed': 'A pass was paid',
  'pass.handed_over': 'A mask was handed over at a door',
  'pass.sent': 'A mask was sent',
  'pass.cancelled': 'A pass was cancelled',
} as const;

export type EventKind = keyof typeof EVENTS;
