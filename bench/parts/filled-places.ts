import { join } from 'node:path';
import { fill, type Place, thisCheckout } from '../checkout.ts';
import type { Bench } from './part.ts';

/** Members in a database of each engine. The caller drops `sized`, the one of PostgreSQL. */
export async function fillPlaces(bench: Bench) {
  const { members, embeddedMembers } = bench.options;
  const postgres = await bench.postgres();
  const embedded = (name: string): Place => ({
    dataDir: join(bench.folder, name),
    databaseUrl: null,
  });
  const filled = await fill(thisCheckout, embedded('filled'), embeddedMembers);
  const sized = await postgres.copyOf(thisCheckout, members);
  return { members, embeddedMembers, postgres, embedded, filled, sized };
}
