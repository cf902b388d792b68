import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';
import { type OperatorMember, operatorMemberView } from './member-view.ts';
import { readLine } from './store.ts';

/**
 * The line, first to last. Read in one query, so that all places are of one moment and the embedded engine's only
 * connection is not held while the reader takes its time; costs about half a kilobyte of memory a member meanwhile.
 */
export async function* exportMembers(database: Database, brand: Brand): AsyncIterable<OperatorMember> {
  for (const row of await readLine(database)) yield operatorMemberView(brand.tiers, row);
}
