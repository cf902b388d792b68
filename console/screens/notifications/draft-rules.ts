import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import {
  describeFilter,
  readFilter,
  type SearchValues,
  writeFilter,
} from '../members/filter-rules.ts';

/** A campaign is for members who have confirmed, unless its filter says otherwise. */
export function readRecipients(values: SearchValues): MemberFilter {
  return { confirmed: true, ...readFilter((name) => values[name as keyof SearchValues]) };
}

export function describeRecipients(filter: MemberFilter): string {
  const parts = describeFilter(filter).map(({ label }) => label);
  return parts.length === 0 ? 'The whole line' : parts.join(', ');
}

type Written = Pick<Campaign, 'subject' | 'body' | 'filter'>;

export function isSame(draft: Written, saved: Written): boolean {
  const inOrder = (filter: MemberFilter) => JSON.stringify(readRecipients(writeFilter(filter)));
  return (
    draft.subject === saved.subject &&
    draft.body === saved.body &&
    inOrder(draft.filter) === inOrder(saved.filter)
  );
}
