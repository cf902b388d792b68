import type { Database } from '../../db/database.ts';
import { inSnapshot } from '../../db/snapshot.ts';
import { type Differing, findDiffering, readTotals } from './verify-store.ts';

/** The slow way, in one snapshot: some ten seconds at a million members. */
export async function verifyLine(database: Database) {
  const { totals, differing } = await inSnapshot(database, async (snapshot) => ({
    totals: await readTotals(snapshot),
    differing: await findDiffering(snapshot),
  }));
  const differences = [
    ...(totals.total === totals.members
      ? []
      : [`The line says ${totals.total} members and has ${totals.members}.`]),
    ...(totals.next_sequence > totals.last_sequence
      ? []
      : [
          `The next to join would be number ${totals.next_sequence}, ` +
            `but ${totals.last_sequence} is taken.`,
        ]),
    ...[...differing].flatMap(([part, found]) => describe(part, found)),
  ];
  return { members: totals.members, differences };
}

function describe(what: string, { count, example }: Differing): string[] {
  return count === 0
    ? []
    : [`${what} differ in ${count} ${count === 1 ? 'place' : 'places'}, such as: ${example}.`];
}
