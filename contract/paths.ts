/** Every path of the product, as functions, so that no page, route or test spells one by hand. */

/** SPEC 7: the calls of the site. */
export const apiPaths = {
  join: () => '/api/waitlist/join',
  status: (memberId: string) => `/api/waitlist/status/${encodeURIComponent(memberId)}`,
  stats: () => '/api/waitlist/stats',
  verifyReferral: (code: string) => `/api/waitlist/verify-referral/${encodeURIComponent(code)}`,
};

/** SPEC 2: the three pages. */
export const pagePaths = {
  landing: () => '/',
  landingWithReferral: (code: string) => `/?ref=${encodeURIComponent(code)}`,
  status: (memberId: string) => `/thank-you/${encodeURIComponent(memberId)}`,
  invite: (code: string) => `/invite/${encodeURIComponent(code)}`,
};

/** Pages that a member reaches from a mail alone: the token in the address says who they are and what it may do. */
export const mailPagePaths = {
  confirm: (token: string) => `/confirm/${encodeURIComponent(token)}`,
  /** Stop mails, download the data, leave. A POST to `unsubscribe` is the one click of RFC 8058. */
  preferences: (token: string) => `/preferences/${encodeURIComponent(token)}`,
  unsubscribe: (token: string) => `/preferences/${encodeURIComponent(token)}/unsubscribe`,
  downloadData: (token: string) => `/preferences/${encodeURIComponent(token)}/data`,
  leave: (token: string) => `/preferences/${encodeURIComponent(token)}/leave`,
};

/** Formats of a member's image: for link previews and desks, feeds, stories. */
export const IMAGE_FORMATS = ['wide', 'square', 'tall'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** Pictures that the server draws. */
export const imagePaths = {
  /** `version` says how cards look now, so that caches renew when they look different. */
  inviteCard: (code: string, version: string) => `/invite/${encodeURIComponent(code)}/card/${version}.jpg`,
  /** The face drawn from a code, as mails show it. */
  ghost: (code: string, version: string) => `/invite/${encodeURIComponent(code)}/ghost/${version}.jpg`,
  inviteQr: (code: string) => `/invite/${encodeURIComponent(code)}/qr.svg`,
  memberImage: (memberId: string, format: ImageFormat) =>
    `/thank-you/${encodeURIComponent(memberId)}/share/${format}.jpg`,
};

/** The same paths as route patterns, for the server's and the browser's router. */
export const routePatterns = {
  join: '/api/waitlist/join',
  status: '/api/waitlist/status/:memberId',
  stats: '/api/waitlist/stats',
  verifyReferral: '/api/waitlist/verify-referral/:code',
  landingPage: '/',
  statusPage: '/thank-you/:memberId',
  invitePage: '/invite/:code',
  inviteCard: '/invite/:code/card/:version.jpg',
  ghost: '/invite/:code/ghost/:version.jpg',
  inviteQr: '/invite/:code/qr.svg',
  memberImage: '/thank-you/:memberId/share/:format.jpg',
  confirmPage: '/confirm/:token',
  preferencesPage: '/preferences/:token',
  unsubscribe: '/preferences/:token/unsubscribe',
  downloadData: '/preferences/:token/data',
  leave: '/preferences/:token/leave',
  mailEvents: '/api/mail/events',
} as const;

/** The header by which a retried join is recognised as the same join. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

/** The header that carries a solved challenge: Base64 of ALTCHA's JSON of challenge and solution. */
export const PROOF_HEADER = 'x-proof';
