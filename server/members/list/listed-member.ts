import type { Brand } from '../../../brand/brand-shape.ts';
import type { ListedMember } from '../../../contract/operator/member-list.ts';
import type { Database } from '../../db/database.ts';
import { operatorMemberView } from '../../line/member-view.ts';
import { readFilter } from './filter-rules.ts';
import { readOrder } from './list-cursor-rules.ts';
import { type Candidates, type ListedRow, readListed } from './list-store.ts';

export function viewListed(
  { tiers }: Pick<Brand, 'tiers'>,
  row: Omit<ListedRow, 'key_first' | 'key_second'>,
): ListedMember {
  const { credit, credit_reasons, mail_state } = row;
  return { ...operatorMemberView(tiers, row), credit, credit_reasons, mail_state };
}

const EVERYBODY = readFilter({}, []);
/** Its second key is the sequence. */
const JOINED = readOrder('joined', 'asc');

/** The members among the candidates, in order of joining. */
export async function readListedRows(
  database: Database,
  candidates: Candidates,
  limit: number,
): Promise<readonly ListedRow[]> {
  const source = { kind: 'candidates', candidates } as const;
  const query = { criteria: EVERYBODY, order: JOINED, after: null, source, limit };
  return (await readListed(database, query)).rows;
}
