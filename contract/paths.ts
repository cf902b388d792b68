/** All paths of the product, so that no page, route or test spells one out. */

/** Paths of the calls: docs/behaviour.md 7, second looks, inviters and drops. */
export const apiPaths = {
  join: () => '/api/waitlist/join',
  status: (memberId: string) => `/api/waitlist/status/${encodeURIComponent(memberId)}`,
  secondLook: (memberId: string) =>
    `/api/waitlist/status/${encodeURIComponent(memberId)}/second-look`,
  /** Who invited a member that joined without an invite. */
  inviter: (memberId: string) => `/api/waitlist/status/${encodeURIComponent(memberId)}/inviter`,
  sizes: (memberId: string) => `/api/waitlist/status/${encodeURIComponent(memberId)}/sizes`,
  /** An event stream: the status, and again whenever the member moves. */
  live: (memberId: string) => `/api/waitlist/status/${encodeURIComponent(memberId)}/live`,
  /** Where the member stands in the last drop. */
  dropPlace: (memberId: string) => `/api/waitlist/status/${encodeURIComponent(memberId)}/drop`,
  /** Readable by anyone who has the member id. */
  offerOf: (memberId: string) => `/api/waitlist/status/${encodeURIComponent(memberId)}/offer`,
  offer: () => '/api/offer',
  acceptOffer: () => '/api/offer/accept',
  changeOffer: () => '/api/offer/size',
  declineOffer: () => '/api/offer/decline',
  stats: () => '/api/waitlist/stats',
  verifyReferral: (code: string) => `/api/waitlist/verify-referral/${encodeURIComponent(code)}`,
  drop: () => '/api/drop',
  draw: (number: number) => `/api/drop/${number}/draw`,
};

/** The query of the status page that asks for it without script. */
export const PLAIN_QUERY = 'plain';

/** Paths of the pages: docs/behaviour.md 2. */
export const pagePaths = {
  landing: () => '/',
  landingWithReferral: (code: string) => `/?ref=${encodeURIComponent(code)}`,
  status: (memberId: string) => `/thank-you/${encodeURIComponent(memberId)}`,
  invite: (code: string) => `/invite/${encodeURIComponent(code)}`,
  /** Where a browser recomputes the draw of the last drop. */
  draw: () => '/draw',
  /** The published times of a drop. */
  calendar: () => '/drop.ics',
};

/** Fragments of status links that only the member follows: after a native join, from a mail. */
export const OWN_MARKS = { joined: '#joined', mine: '#mine' } as const;

/** The status page, for the member in person: the browser remembers them. */
export const ownStatusPath = (memberId: string, mark: keyof typeof OWN_MARKS = 'mine') =>
  pagePaths.status(memberId) + OWN_MARKS[mark];

/**
 * The status page with the right to act on the member's offer. The token is in the fragment, which
 * reaches no log and no referrer.
 */
export const offerPath = (memberId: string, token: string) =>
  `${pagePaths.status(memberId)}#offer=${token}`;

/** Pages reached from mails only. The token identifies the member and what the link allows. */
export const mailPagePaths = {
  confirm: (token: string) => `/confirm/${encodeURIComponent(token)}`,
  /** Stop mail, download the data, leave. */
  preferences: (token: string) => `/preferences/${encodeURIComponent(token)}`,
  /** A POST is the one-click unsubscription of RFC 8058. */
  unsubscribe: (token: string) => `/preferences/${encodeURIComponent(token)}/unsubscribe`,
  downloadData: (token: string) => `/preferences/${encodeURIComponent(token)}/data`,
  leave: (token: string) => `/preferences/${encodeURIComponent(token)}/leave`,
  /** Where to send the reward of a tier. */
  reward: (token: string, level: number | string) =>
    `/rewards/${encodeURIComponent(token)}/${level}`,
};

/** Formats of a member's image: for link previews, feeds and stories. */
export const IMAGE_FORMATS = ['wide', 'square', 'tall'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** Images that the server draws. */
export const imagePaths = {
  /** `version` changes with the look of the images, so that caches are renewed. */
  inviteCard: (code: string, version: string) =>
    `/invite/${encodeURIComponent(code)}/card/${version}.jpg`,
  /** The ghost drawn from a code, for mails. */
  ghost: (code: string, version: string) =>
    `/invite/${encodeURIComponent(code)}/ghost/${version}.jpg`,
  inviteQr: (code: string) => `/invite/${encodeURIComponent(code)}/qr.svg`,
  memberImage: (memberId: string, format: ImageFormat) =>
    `/thank-you/${encodeURIComponent(memberId)}/share/${format}.jpg`,
};

/** The same paths as route patterns, for the routers of server and browser. */
export const routePatterns = {
  join: '/api/waitlist/join',
  status: '/api/waitlist/status/:memberId',
  secondLook: '/api/waitlist/status/:memberId/second-look',
  inviter: '/api/waitlist/status/:memberId/inviter',
  sizes: '/api/waitlist/status/:memberId/sizes',
  live: '/api/waitlist/status/:memberId/live',
  dropPlace: '/api/waitlist/status/:memberId/drop',
  offerOf: '/api/waitlist/status/:memberId/offer',
  offer: '/api/offer',
  acceptOffer: '/api/offer/accept',
  changeOffer: '/api/offer/size',
  declineOffer: '/api/offer/decline',
  stats: '/api/waitlist/stats',
  verifyReferral: '/api/waitlist/verify-referral/:code',
  drop: '/api/drop',
  draw: '/api/drop/:number/draw',
  landingPage: '/',
  statusPage: '/thank-you/:memberId',
  invitePage: '/invite/:code',
  drawPage: '/draw',
  calendar: '/drop.ics',
  inviteCard: '/invite/:code/card/:version.jpg',
  ghost: '/invite/:code/ghost/:version.jpg',
  inviteQr: '/invite/:code/qr.svg',
  memberImage: '/thank-you/:memberId/share/:format.jpg',
  confirmPage: '/confirm/:token',
  preferencesPage: '/preferences/:token',
  unsubscribe: '/preferences/:token/unsubscribe',
  downloadData: '/preferences/:token/data',
  leave: '/preferences/:token/leave',
  rewardPage: '/rewards/:token/:level',
  mailEvents: '/api/mail/events',
} as const;

/** A retried join with the same key returns the same answer. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

/** A solved challenge: ALTCHA's JSON of challenge and solution, in Base64. */
export const PROOF_HEADER = 'x-proof';
