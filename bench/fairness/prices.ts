/** What an attack buys, in EUR: prices of the goal, and what public sources say of them. */
export const PRICES = {
  domain: { what: 'own domain, a year', euro: 10, source: 'assumed, about that of a .com' },
  hosted: { what: 'one paid mailbox at a hoster, a month', euro: 6, source: 'assumed' },
  mailbox: {
    what: 'mailbox at a provider that asks for a phone',
    euro: 0.5,
    source: 'assumed; they are sold in bulk (Thomas et al., CCS 2014)',
  },
  openMailbox: {
    what: 'mailbox at a provider that asks few for a phone',
    euro: 0.03,
    source: 'assumed',
  },
  residential: {
    what: 'residential visit',
    euro: 0.2,
    source: 'assumed; traffic is sold at 1 to 5 a gigabyte (proxynade.net, 2026), so less may do',
  },
  vpn: { what: 'VPN, a month', euro: 5, source: 'Mullvad, 2026' },
  server: { what: 'rented server with a network of IPv6, a month', euro: 5, source: 'assumed' },
  sim: { what: 'SIM', euro: 5, source: 'assumed' },
  hour: { what: 'hour of a person, 30 joins', euro: 10, source: 'assumed' },
} as const;

/** Joins with a confirmation that a hired person makes in an hour. */
export const JOINS_AN_HOUR = 30;

export function euros(...things: (keyof typeof PRICES)[]): number {
  return things.reduce((sum, thing) => sum + PRICES[thing].euro, 0);
}
