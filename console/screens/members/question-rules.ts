import type { MemberSort } from '../../../contract/operator/member-list.ts';
import type { MemberQuestion } from '../../api/members.ts';
import type { Sort } from '../../ui/columns.tsx';
import { readFilter } from './filter-rules.ts';

/** Values of `sort` in the URL: a key, with a "-" for descending order. */
export const sortOptions: Readonly<Record<string, string>> = {
  position: 'First in line',
  '-position': 'Last in line',
  '-joined': 'Newest',
  joined: 'Oldest',
  '-referrals': 'Most friends',
  referrals: 'Fewest friends',
};

/** A value of the URL that is no longer known sorts by position. */
export function readSort(text: string): Sort & { readonly by: MemberSort } {
  const known = Object.hasOwn(sortOptions, text) ? text : 'position';
  return { by: known.replace('-', '') as MemberSort, isDescending: known.startsWith('-') };
}

export function writeSort({ by, isDescending }: Sort): string {
  return `${isDescending ? '-' : ''}${by}`;
}

export function readQuestion(get: (name: string) => string): MemberQuestion {
  const { by, isDescending } = readSort(get('sort'));
  return { filter: readFilter(get), sort: by, order: isDescending ? 'desc' : 'asc' };
}
