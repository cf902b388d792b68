/** What is asked for, between the URL of the list and the API. */
import type { MemberSort } from '../../../contract/operator/member-list.ts';
import type { MemberQuestion } from '../../api/members.ts';
import { readFilter } from '../../parts/member-filter/filter-rules.ts';
import type { Option } from '../../ui/controls/select.tsx';

/** Values of `sort` in the URL: a key, with a "-" for descending order. */
export const sortOptions: readonly Option[] = [
  { value: 'position', label: 'First in line' },
  { value: '-position', label: 'Last in line' },
  { value: '-joined', label: 'Newest' },
  { value: 'joined', label: 'Oldest' },
  { value: '-referrals', label: 'Most friends' },
  { value: 'referrals', label: 'Fewest friends' },
];

/** A value of the URL that is no longer known sorts by position. */
export function readSort(text: string): { sort: MemberSort; isDescending: boolean } {
  const known = sortOptions.find(({ value }) => value === text)?.value ?? 'position';
  return { sort: known.replace('-', '') as MemberSort, isDescending: known.startsWith('-') };
}

/** What the URL asks for. */
export function readQuestion(get: (name: string) => string): MemberQuestion {
  const { sort, isDescending } = readSort(get('sort'));
  return { filter: readFilter(get), sort, order: isDescending ? 'desc' : 'asc' };
}
