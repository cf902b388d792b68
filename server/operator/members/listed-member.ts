import type { Brand } from '../../../brand/brand-shape.ts';
import type { ListedMember } from '../../../contract/operator/member-list.ts';
import { operatorMemberView } from '../../line/member-view.ts';
import type { ListedRow } from './list-store.ts';

export function viewListed(
  { tiers }: Pick<Brand, 'tiers'>,
  row: Omit<ListedRow, 'key_first' | 'key_second'>,
): ListedMember {
  const { credit, credit_reasons, mail_state } = row;
  return { ...operatorMemberView(tiers, row), credit, credit_reasons, mail_state };
}
