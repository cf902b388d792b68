import type { PeopleGroup } from '../../../contract/operator/first-in-line.ts';
import { MINUTE_MS } from '../../durations.ts';
import { isMailProvider } from '../../mail/mail-provider-rules.ts';

export type Person = {
  readonly id: string;
  readonly joinedMs: number;
  readonly isConfirmed: boolean;
  /** Referral code of the inviter. */
  readonly code: string | null;
  /** Registrable. */
  readonly domain: string;
  /** A hash that means nothing but whether it is the same; null: not known. */
  readonly network: number | null;
};

type Trait = PeopleGroup['by'];

const MAX_IDS = 200;

/** Groups of two people and more who share one of the traits, the largest first. */
export function groupPeople(
  people: readonly Person[],
  traits: readonly Trait[],
): readonly PeopleGroup[] {
  return traits
    .flatMap((by) =>
      [...Map.groupBy(people, (person) => person[by])].flatMap(([value, sharing]) =>
        value === null || sharing.length < 2
          ? []
          : [describe(sharing, by, typeof value === 'string' ? value : null)],
      ),
    )
    .toSorted((a, b) => b.members - a.members || a.minutes - b.minutes);
}

function describe(people: readonly Person[], by: Trait, name: string | null): PeopleGroup {
  const joined = people.map(({ joinedMs }) => joinedMs).toSorted((a, b) => a - b);
  const networks = people.flatMap(({ network }) => network ?? []);
  return {
    by,
    name,
    member_ids: people.slice(0, MAX_IDS).map(({ id }) => id),
    members: people.length,
    confirmed: people.filter(({ isConfirmed }) => isConfirmed).length,
    networks: new Set(networks).size,
    minutes: Math.ceil(((joined.at(-1) ?? 0) - (joined[0] ?? 0)) / MINUTE_MS),
  };
}

/** Not by a code, which audiences share, nor by a provider's domain, at which half of all are. */
export function countAlike(groups: readonly PeopleGroup[]): number {
  const alike = groups.filter(
    ({ by, name }) => by === 'network' || (by === 'domain' && !isMailProvider(name ?? '')),
  );
  return Math.max(0, ...alike.map(({ members }) => members));
}
