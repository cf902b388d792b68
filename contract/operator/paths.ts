/** Every path of the operator's API. */
export const operatorPaths = {
  overview: '/operator/api/overview',
  overviewHealth: '/operator/api/overview/health',
  counts: '/operator/api/counts',
  findMembers: '/operator/api/members/find',
  exportMembers: '/operator/api/members/export',
  member: '/operator/api/members/:memberId',
  listMembers: '/operator/api/members/list',
  countMembers: '/operator/api/members/count',
  friends: '/operator/api/members/:memberId/friends',
  memberDrop: '/operator/api/members/:memberId/drop',
  notes: '/operator/api/members/:memberId/notes',
  note: '/operator/api/members/:memberId/notes/:noteId',
  credits: '/operator/api/credits',
  waitingCredits: '/operator/api/credits/waiting',
  creditKinds: '/operator/api/credits/kinds',
  creditsOfCode: '/operator/api/credits/of/:memberId',
  sizes: '/operator/api/sizes',
  allocations: '/operator/api/allocations',
  drop: '/operator/api/drop',
  offers: '/operator/api/offers',
  listOffers: '/operator/api/offers/list',
  exportDrop: '/operator/api/drop/files/:file',
  schedule: '/operator/api/schedule',
  redeemPass: '/operator/api/passes/redeem',
  resumeMail: '/operator/api/mail/resume',
  testMail: '/operator/api/mail/test',
  waitingMails: '/operator/api/mail/waiting',
  failedMails: '/operator/api/mail/failed',
  suppressedAddresses: '/operator/api/mail/suppressed',
  previewChange: '/operator/api/changes/preview',
  changes: '/operator/api/changes',
  undoChange: '/operator/api/changes/:change/undo',
  webhooks: '/operator/api/webhooks',
  webhook: '/operator/api/webhooks/:endpointId',
  removeWebhook: '/operator/api/webhooks/:endpointId/remove',
  rotateWebhook: '/operator/api/webhooks/:endpointId/rotate',
  testWebhook: '/operator/api/webhooks/:endpointId/test',
  webhookDeliveries: '/operator/api/webhooks/:endpointId/deliveries',
  replayDelivery: '/operator/api/webhook-deliveries/:deliveryId/replay',
  campaigns: '/operator/api/campaigns',
  campaign: '/operator/api/campaigns/:campaign',
  campaignPreview: '/operator/api/campaigns/:campaign/preview',
  campaignHtml: '/operator/api/campaigns/:campaign/preview.html',
  testCampaign: '/operator/api/campaigns/:campaign/test',
  imports: '/operator/api/imports',
  listImport: '/operator/api/imports/:importId',
  importChunks: '/operator/api/imports/:importId/chunks',
  importMapping: '/operator/api/imports/:importId/mapping',
  importReport: '/operator/api/imports/:importId/report',
  importOrders: '/operator/api/imports/:importId/orders',
  exportOrders: '/operator/api/imports/:importId/orders/export',
  rewards: '/operator/api/rewards',
  rewardsOfTier: '/operator/api/rewards/:tier',
  exportRewards: '/operator/api/rewards/:tier/export',
  joining: '/operator/api/joining',
  verify: '/operator/api/verify',
  backup: '/operator/api/backup',
  signIn: '/operator/api/sign-in',
  signInMail: '/operator/api/sign-in/mail',
  signInLinks: '/operator/api/sign-in/links',
  passkeyChallenge: '/operator/api/sign-in/passkey-options',
  passkeySignIn: '/operator/api/sign-in/passkey',
  me: '/operator/api/me',
  session: '/operator/api/session',
  sessions: '/operator/api/sessions',
  oneSession: '/operator/api/sessions/:sessionId',
  operators: '/operator/api/operators',
  operator: '/operator/api/operators/:operatorId',
  operatorRole: '/operator/api/operators/:operatorId/role',
  operatorSessions: '/operator/api/operators/:operatorId/sessions',
  passkeys: '/operator/api/passkeys',
  newPasskey: '/operator/api/passkeys/options',
  passkey: '/operator/api/passkeys/:passkeyId',
  keys: '/operator/api/keys',
  key: '/operator/api/keys/:keyId',
} as const;

/**
 * Where the console is served. Its screens have paths below `home`, which only it knows, except for
 * those that mails lead to.
 */
export const consolePaths = {
  home: '/console',
  credits: '/console/credits',
  assets: '/console/assets/',
} as const;

/** On calls that the console makes by itself, with nobody there: they keep no session open. */
export const UNATTENDED_HEADER = 'x-unattended';

/** Where the link of a sign-in leads. The token is in the fragment, which reaches no log. */
export function signInPath(token?: string): string {
  const page = `${consolePaths.home}/sign-in`;
  return token === undefined ? page : `${page}#${token}`;
}
