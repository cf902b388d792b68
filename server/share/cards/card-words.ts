/** Words of the share images that stand nowhere else on the site, and name no brand. */
export const cardWords = {
  /** One string a line. */
  invited: ['You are', 'invited.'],
  /** SPEC 1. */
  scarcity: 'Only 100 masks',
  noRestocks: 'No restocks',
  inLine: 'in line',
  /** Beside the QR code, one string a line. */
  scan: ['Scan. Join.', 'Start ahead.'],
} as const;
