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
  notes: '/operator/api/members/:memberId/notes',
  note: '/operator/api/members/:memberId/notes/:noteId',
  sizes: '/operator/api/sizes',
  size: '/operator/api/sizes/:size',
  renameSize: '/operator/api/sizes/:size/rename',
  allocations: '/operator/api/allocations',
  release: '/operator/api/allocations/:allocationId/release',
  resumeMail: '/operator/api/mail/resume',
  testMail: '/operator/api/mail/test',
  waitingMails: '/operator/api/mail/waiting',
  failedMails: '/operator/api/mail/failed',
  suppressedAddresses: '/operator/api/mail/suppressed',
  previewChange: '/operator/api/changes/preview',
  changes: '/operator/api/changes',
  undoChange: '/operator/api/changes/:change/undo',
  verify: '/operator/api/verify',
  backup: '/operator/api/backup',
} as const;

/** Where the console is served. Its screens have paths below `home`, which only it knows. */
export const consolePaths = {
  home: '/console',
  assets: '/console/assets/',
} as const;

/** Fills in the parameters of one of `operatorPaths`, in their order. */
export function fillPath(pattern: string, ...values: readonly string[]): string {
  let index = 0;
  return pattern.replace(/:\w+/g, () => encodeURIComponent(values[index++] ?? ''));
}
