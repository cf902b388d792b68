import type { MemberSort } from '../../../contract/operator/member-list.ts';
import type { MemberQuestion } from '../../api/members.ts';
import type { Sort } from '../../ui/columns.tsx';
import type { Option } from '../../ui/fields.tsx';
import { readFilter } from './filter-rules.ts';

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
export function readSort(text: string): Sort & { readonly by: MemberSort } {
  const known = sortOptions.find(({ value }) => value === text)?.value ?? 'position';
  return { by: known.replace('-', '') as MemberSort, isDescending: known.startsWith('-') };
}

export function writeSort({ by, isDescending }: Sort): string {
  return `${isDescending ? '-' : ''}${by}`;
}

export function readQuestion(get: (name: string) => string): MemberQuestion {
  const { by, isDescending } = readSort(get('sort'));
  return { filter: readFilter(get), sort: by, order: isDescending ? 'desc' : 'asc' };
}
