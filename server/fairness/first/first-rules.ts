import type {
  DrawnFriend,
  FirstMember,
  Sign,
  Suspicion,
} from '../../../contract/operator/credits/first-in-line.ts';
import { HOUR_MS } from '../../durations.ts';

export type Friend = {
  readonly joinedMs: number;
  readonly domain: string;
  readonly isOpen: boolean;
  readonly isConfirmed: boolean;
  readonly credit: 'given' | 'held' | 'pending' | 'refused';
  /** Hashes that mean nothing but whether they are the same; null: not known. */
  readonly network: string | null;
  readonly browser: string | null;
  readonly isNearMiss: boolean;
};

const EVENING_MS = 3 * HOUR_MS;
const SHOWN_DOMAINS = 3;

const WEIGHTS: Readonly<Record<Sign, number>> = {
  'open-mailboxes': 20,
  'one-domain': 5,
  'one-network': 20,
  'one-browser': 10,
  'one-evening': 20,
  unconfirmed: 10,
  'near-misses': 10,
  chain: 5,
};
/** A friend who confirmed at a mailbox that costs something weighs this much of another one. */
const PROVEN_WEIGHT = 0.25;
const ENOUGH = { from: 1, to: 6 };
/** This part of honest friends may well join together: a class, a table, a post that is read. */
const EVENING = { from: 0.3, to: 0.9 };
const CHAIN = { from: 2, to: 6 };

const rise = (value: number, { from, to }: { from: number; to: number }) =>
  Math.min(1, Math.max(0, (value - from) / (to - from)));

export type Described = Pick<
  FirstMember,
  'mailboxes' | 'traces' | 'hours' | 'near_misses' | 'suspicion' | 'drawn'
>;

export function describeFriends(friends: readonly Friend[], chain: number): Described {
  const inOrder = friends.toSorted((a, b) => a.joinedMs - b.joinedMs);
  const networks = rank(inOrder.map(({ network }) => network));
  const browsers = rank(inOrder.map(({ browser }) => browser));
  const domains = rank(inOrder.map(({ domain }) => domain));
  const busiest = findEvening(inOrder);
  const first = inOrder[0]?.joinedMs ?? 0;
  const last = inOrder.at(-1)?.joinedMs ?? 0;
  const open = inOrder.filter(({ isOpen }) => isOpen);
  return {
    mailboxes: {
      costly: friends.length - open.length,
      open: open.length,
      domains: domains.slice(0, SHOWN_DOMAINS).map(([domain, count]) => ({
        domain,
        is_open: open.some((friend) => friend.domain === domain),
        friends: count,
      })),
    },
    traces: {
      known: inOrder.filter(({ network }) => network !== null).length,
      networks: networks.length,
      largest_network: networks[0]?.[1] ?? 0,
      browsers: browsers.length,
      largest_browser: browsers[0]?.[1] ?? 0,
    },
    hours: { span: Math.round(((last - first) / HOUR_MS) * 10) / 10, busiest: busiest.length },
    near_misses: inOrder.filter(({ isNearMiss }) => isNearMiss).length,
    suspicion: suspect(inOrder, chain),
    drawn: inOrder.map((friend) => draw(friend, networks)),
  };
}

/** Held and refused credits moved nobody, and do not count. */
function suspect(inOrder: readonly Friend[], chain: number): Suspicion {
  const given = inOrder.filter(({ credit }) => credit === 'given' || credit === 'pending');
  const weigh = (some: readonly Friend[]) =>
    some.reduce((sum, friend) => sum + (isProven(friend) ? PROVEN_WEIGHT : 1), 0);
  const shareOf = (some: readonly Friend[]) => share(some.length, given.length);
  const sameAs = (keyOf: (friend: Friend) => string | null) => {
    const [most] = rank(given.map(keyOf));
    if (most === undefined || most[1] < 2) return 0;
    return share(weigh(given.filter((friend) => keyOf(friend) === most[0])), given.length);
  };
  const hasEnough = rise(given.length, ENOUGH);
  const parts: Readonly<Record<Sign, number>> = {
    'open-mailboxes': shareOf(given.filter(({ isOpen }) => isOpen)) * hasEnough,
    'one-domain': sameAs(({ isOpen, domain }) => (isOpen ? domain : null)) * hasEnough,
    'one-network': sameAs(({ network }) => network) * hasEnough,
    'one-browser':
      sameAs(({ network, browser }) => network && browser && network + browser) * hasEnough,
    'one-evening': rise(shareOf(findEvening(given)), EVENING) * hasEnough,
    unconfirmed: shareOf(given.filter(({ isConfirmed }) => !isConfirmed)) * hasEnough,
    'near-misses': shareOf(given.filter(({ isNearMiss }) => isNearMiss)) * hasEnough,
    chain: rise(chain, CHAIN),
  };
  const signs = (Object.keys(WEIGHTS) as Sign[])
    .map((sign) => ({ sign, points: Math.round(parts[sign] * WEIGHTS[sign]) }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points);
  return { score: signs.reduce((sum, { points }) => sum + points, 0), signs };
}

const isProven = ({ isOpen, isConfirmed }: Friend) => !isOpen && isConfirmed;

function draw(friend: Friend, networks: readonly (readonly [string, number])[]): DrawnFriend {
  const { joinedMs, network, isOpen, credit, isConfirmed } = friend;
  const rankOf = networks.findIndex(([name]) => name === network);
  const isShared = (networks[rankOf]?.[1] ?? 0) > 1;
  const isWaiting = credit === 'held' || credit === 'refused';
  return {
    at: new Date(joinedMs).toISOString(),
    network: rankOf < 0 ? 0 : isShared ? Math.min(4, 2 + rankOf) : 1,
    mailbox: isOpen ? 'open' : 'costly',
    state: isWaiting ? credit : isConfirmed ? 'counts' : 'unconfirmed',
  };
}

function findEvening(inOrder: readonly Friend[]): readonly Friend[] {
  let best: readonly [number, number] = [0, 0];
  let from = 0;
  for (const [index, { joinedMs }] of inOrder.entries()) {
    while (joinedMs - (inOrder[from]?.joinedMs ?? joinedMs) > EVENING_MS) from += 1;
    if (index + 1 - from > best[1] - best[0]) best = [from, index + 1];
  }
  return inOrder.slice(...best);
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);

function rank(texts: readonly (string | null)[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== null) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}
