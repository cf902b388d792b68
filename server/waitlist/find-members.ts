import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';
import type { OperatorMember } from './member-view.ts';

export async function findMembers(
  _database: Database,
  _brand: Brand,
  _request: { text: string },
): Promise<OperatorMember[]> {
  throw new Error('not written');
}
