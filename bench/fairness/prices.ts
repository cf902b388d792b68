/** What an attack buys, in EUR. bench/FAIRNESS.md says what public sources say of these prices. */
export const PRICES = {
  domain: 10,
  hosted: 6,
  mailbox: 0.5,
  openMailbox: 0.03,
  residential: 0.2,
  vpn: 5,
  server: 5,
  sim: 5,
  hour: 10,
} as const;

export const JOINS_AN_HOUR = 30;

export function euros(...things: (keyof typeof PRICES)[]): number {
  return things.reduce((sum, thing) => sum + PRICES[thing], 0);
}
