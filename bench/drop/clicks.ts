/** What a crowd of members sends within a second of a drop. Pure. */

/**
 * `holder`: has an open offer. `ending`: has one that ends within the second. `again`: the second
 * click of a holder. `none`: is on the list, and has no offer. `forged`: with a changed signature.
 * `next`: has been offered a mask that came back within the second.
 */
export const CLICK_KINDS = ['holder', 'ending', 'again', 'none', 'forged', 'next'] as const;
export type ClickKind = (typeof CLICK_KINDS)[number];

/** One request to accept, of a member on one of the servers. */
export type Click = {
  readonly kind: ClickKind;
  /** From the beginning of the second. */
  readonly atMs: number;
  readonly memberId: string;
  readonly token: string;
  readonly server: number;
};

export type Crowd = {
  /** The members whose offers stand, whose offers end within the second, and who have none. */
  readonly holders: readonly string[];
  readonly ending: readonly string[];
  readonly others: readonly string[];
  readonly servers: number;
  readonly sign: (memberId: string) => string;
  /** Numbers from 0 to 1. */
  readonly random: () => number;
};

const SECOND_MS = 1000;
const DOUBLE_CLICK_MS = 80;
/** One of so many sends a forged link beside their own. */
const FORGES_EVERY = 50;

/**
 * Everybody clicks once, at a random moment of the second and on a random server; members with an
 * offer click twice, the second time on another server. In the order of the moments.
 */
export function drawClicks({ holders, ending, others, servers, sign, random }: Crowd): Click[] {
  const once = (kind: ClickKind, memberId: string): Click => ({
    kind,
    atMs: random() * SECOND_MS,
    memberId,
    token: sign(memberId),
    server: Math.floor(random() * servers),
  });
  const first = [
    ...holders.map((id) => once('holder', id)),
    ...ending.map((id) => once('ending', id)),
    ...others.map((id) => once('none', id)),
  ];
  const again = first
    .filter(({ kind }) => kind === 'holder')
    .map((click) => ({
      ...click,
      kind: 'again' as const,
      atMs: Math.min(SECOND_MS, click.atMs + random() * DOUBLE_CLICK_MS),
      server: (click.server + 1) % servers,
    }));
  const forged = others
    .filter((_, index) => index % FORGES_EVERY === 0)
    .map((id) => {
      const { token, ...click } = once('forged', id);
      return { ...click, token: (token.startsWith('A') ? 'B' : 'A') + token.slice(1) };
    });
  return [...first, ...again, ...forged].sort((a, b) => a.atMs - b.atMs);
}
