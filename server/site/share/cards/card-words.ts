/** Words that only share images use, for every brand. */
export const cardWords = {
  /** One string per line. */
  invited: ['You are', 'invited.'],
  scarcity: (maskCount: number) => `Only ${maskCount} masks`,
  noRestocks: 'No restocks',
  inLine: 'in line',
  /** Beside the QR code, one string per line. */
  scan: ['Scan. Join.', 'Start ahead.'],
} as const;
