/** What confirmed friends count for in a frozen line, reckoned plainly. */
import type { Friend } from '../support/settled-friends.ts';

const COSTLY = 'gmail.com';

/** Settled credits of each, in their order. */
export function reckonCredits(friends: readonly Friend[]): number[] {
  const isCostly = (index: number) => friends[index]?.domain === COSTLY;
  const isSettled = ({ referrer, credit = 'given', confirmedMinute }: Friend) =>
    referrer !== null && credit === 'given' && confirmedMinute !== null;
  const above = (index: number): number | null => {
    const friend = friends[index];
    if (friend?.confirmedMinute == null || friend.referrer === null) return null;
    return isCostly(index) || isCostly(friend.referrer) ? null : friend.referrer;
  };
  const pathOf = (index: number): number[] => {
    const next = above(index);
    return next === null ? [index] : [...pathOf(next), index];
  };
  const trees = new Map<number, { friend: Friend; depth: number; index: number }[]>();
  for (const [index, friend] of friends.entries()) {
    if (friend.referrer === null || !isSettled(friend)) continue;
    const path = pathOf(friend.referrer);
    const root = path[0] ?? 0;
    trees.set(root, [...(trees.get(root) ?? []), { friend, depth: path.length, index }]);
  }
  const tenths = friends.map(() => 0);
  for (const credits of trees.values()) {
    credits.sort(
      (a, b) =>
        a.depth - b.depth ||
        (a.friend.confirmedMinute ?? 0) - (b.friend.confirmedMinute ?? 0) ||
        a.index - b.index,
    );
    const ofDomain = new Map<string, number>();
    const isWhole = credits.map(({ friend: { domain } }) => {
      const count = (ofDomain.get(domain) ?? 0) + 1;
      ofDomain.set(domain, count);
      return domain === COSTLY || (domain.startsWith('hosted') && count <= 25);
    });
    const costly = credits.filter(({ friend: { domain } }) => domain === COSTLY).length;
    const hosted = isWhole.filter(Boolean).length - costly;
    const carried = Math.floor(costly / 2 + hosted / 3);
    let open = 0;
    for (const [place, { friend }] of credits.entries()) {
      if (!isWhole[place]) open += 1;
      const worth = isWhole[place] ? 10 : curve(open - carried);
      tenths[friend.referrer ?? 0] = (tenths[friend.referrer ?? 0] ?? 0) + worth;
    }
  }
  return tenths.map((sum) => Math.floor(sum / 10));
}

function curve(place: number): number {
  if (place <= 5) return 10;
  if (place <= 15) return 5;
  return place <= 65 ? 1 : 0;
}
