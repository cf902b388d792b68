/** Paths of the calls: docs/behaviour.md 7, inviters and drops. */
export const apiPaths = {
  join: '/api/waitlist/join',
  status: '/api/waitlist/status/:memberId',
  inviter: '/api/waitlist/status/:memberId/inviter',
  confirm: '/api/waitlist/confirm',
  sizes: '/api/waitlist/status/:memberId/sizes',
  /** An event stream: the status, and again whenever the member moves. */
  live: '/api/waitlist/status/:memberId/live',
  dropPlace: '/api/waitlist/status/:memberId/drop',
  offerOf: '/api/waitlist/status/:memberId/offer',
  offerLink: '/api/waitlist/status/:memberId/offer/link',
  offer: '/api/offer',
  acceptOffer: '/api/offer/accept',
  enterDrop: '/api/offer/enter',
  withdrawEntry: '/api/offer/withdraw',
  changeOffer: '/api/offer/size',
  declineOffer: '/api/offer/decline',
  stats: '/api/waitlist/stats',
  faces: '/api/waitlist/faces',
  verifyReferral: '/api/waitlist/verify-referral/:code',
  drop: '/api/drop',
  draw: '/api/drop/:number/draw',
  given: '/api/drop/:number/given',
  tillNotices: '/api/till/:kind',
  mailEvents: '/api/mail/events',
} as const;

export const pagePaths = {
  landing: '/',
  status: '/thank-you/:memberId',
  invite: '/invite/:code',
  draw: '/draw',
  calendar: '/drop.ics',
} as const;

export const mailPagePaths = {
  confirm: '/confirm/:token',
  preferences: '/preferences/:token',
  unsubscribe: '/preferences/:token/unsubscribe',
  downloadData: '/preferences/:token/data',
  leave: '/preferences/:token/leave',
  reward: '/rewards/:token/:level',
  offer: '/offer/:token',
} as const;

export const IMAGE_FORMATS = ['wide', 'square', 'tall'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];
export const PASS_FORMATS = ['tall', 'square'] as const satisfies ImageFormat[];

/** Images that the server draws. The version changes with their look, which renews caches. */
export const imagePaths = {
  inviteCard: '/invite/:code/card/:version.jpg',
  ghost: '/invite/:code/ghost/:version.jpg',
  reward: '/invite/:code/reward/:picture/:version.jpg',
  inviteQr: '/invite/:code/qr.svg',
  memberImage: '/thank-you/:memberId/share/:format.jpg',
  passImage: '/thank-you/:memberId/pass/:format.jpg',
} as const;

export type PathValues<Pattern extends string> = Pattern extends `${string}:${infer Rest}`
  ? [value: string | number, ...PathValues<Rest>]
  : [];

export function fillPath<Pattern extends string>(
  pattern: Pattern,
  ...values: PathValues<Pattern>
): string {
  const left: (string | number)[] = [...values];
  return pattern.replace(/:\w+/g, () => encodeURIComponent(left.shift() ?? ''));
}

export const landingWithReferral = (code: string) => `/?ref=${encodeURIComponent(code)}`;

export const PLAIN_QUERY = 'plain';

/** Fragments of status links that only the member follows: after a native join, from a mail. */
export const OWN_MARKS = { joined: '#joined', mine: '#mine' } as const;

export const ownStatusPath = (memberId: string, mark: keyof typeof OWN_MARKS = 'mine') =>
  fillPath(pagePaths.status, memberId) + OWN_MARKS[mark];

/** The proof is in the fragment, and sent once somebody uses the page: scanners run scripts. */
export const confirmingPath = (memberId: string, token: string) =>
  `${fillPath(pagePaths.status, memberId)}#confirm=${token}`;

/** Ends the fragment of a link in a mail about friends: place and referrals before, "131.4". */
export const WAS = '&was=';

/** The right to act is in the fragment, which reaches no log and no referrer. */
export const offerPath = (memberId: string, token: string) =>
  `${fillPath(pagePaths.status, memberId)}#offer=${token}`;

/** A retried join with the same key returns the same answer. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

/** A solved challenge: ALTCHA's JSON of challenge and solution, in Base64. */
export const PROOF_HEADER = 'x-proof';
