import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';
import type { OperatorMember } from './member-view.ts';

export async function* exportMembers(_database: Database, _brand: Brand): AsyncIterable<OperatorMember> {
  yield await Promise.reject(new Error('not written'));
}
