import type { MemberSort } from '../../../contract/operator/member-list.ts';
import type { MemberQuestion } from '../../api/members.ts';
import { readSort } from '../../ui/columns.tsx';
import { readFilter } from './filter-rules.ts';

export const sortOptions: Readonly<Record<string, string>> = {
  position: 'First in line',
  '-position': 'Last in line',
  '-joined': 'Newest',
  joined: 'Oldest',
  '-referrals': 'Most friends',
  referrals: 'Fewest friends',
};

export function readMemberSort(text: string) {
  const { by, isDescending } = readSort(Object.hasOwn(sortOptions, text) ? text : 'position');
  return { by: by as MemberSort, isDescending };
}

export function readQuestion(get: (name: string) => string): MemberQuestion {
  const { by, isDescending } = readMemberSort(get('sort'));
  return { filter: readFilter(get), sort: by, order: isDescending ? 'desc' : 'asc' };
}
