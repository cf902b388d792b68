/** The filter of a campaign as fields of a form, where empty means any. */
import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';

export type FilterFields = {
  readonly text: string;
  readonly tier: string;
  readonly source: string;
  readonly confirmed: string;
  readonly credit: string;
  readonly from: string;
  readonly to: string;
};

/** Without a mail state: suppressed addresses get nothing anyway. */
export function writeFilter(filter: MemberFilter): FilterFields {
  return {
    text: filter.text ?? '',
    tier: filter.tier === undefined ? '' : String(filter.tier),
    source: filter.source ?? '',
    confirmed: filter.confirmed === undefined ? '' : String(filter.confirmed),
    credit: filter.credit ?? '',
    from: filter.joined_from ?? '',
    to: filter.joined_to ?? '',
  };
}

export function readFilter(fields: FilterFields): MemberFilter {
  const { text, tier, source, confirmed, credit, from, to } = fields;
  return {
    ...(text.trim() !== '' && { text: text.trim() }),
    ...(tier !== '' && { tier: Number(tier) }),
    ...(source.trim() !== '' && { source: source.trim() }),
    ...(confirmed !== '' && { confirmed: confirmed === 'true' }),
    ...(credit !== '' && { credit: credit as NonNullable<MemberFilter['credit']> }),
    ...(from !== '' && { joined_from: from }),
    ...(to !== '' && { joined_to: to }),
  };
}

/** In words, for a campaign that was sent. */
export function describeFilter(filter: MemberFilter): string {
  const parts = [
    filter.text !== undefined && `text "${filter.text}"`,
    filter.tier !== undefined && (filter.tier === 0 ? 'no tier yet' : `tier ${filter.tier}`),
    filter.source !== undefined && `source ${filter.source}`,
    filter.confirmed !== undefined && (filter.confirmed ? 'confirmed' : 'not confirmed'),
    filter.credit !== undefined && `credit ${filter.credit}`,
    filter.joined_from !== undefined && `joined from ${filter.joined_from}`,
    filter.joined_to !== undefined && `joined before ${filter.joined_to}`,
    filter.mail !== undefined && `mail ${filter.mail}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'The whole line' : parts.join(', ');
}

type Written = Pick<Campaign, 'subject' | 'body' | 'filter'>;

/** Whether saving would change nothing. */
export function isSame(draft: Written, saved: Written): boolean {
  return (
    draft.subject === saved.subject &&
    draft.body === saved.body &&
    JSON.stringify(readFilter(writeFilter(draft.filter))) ===
      JSON.stringify(readFilter(writeFilter(saved.filter)))
  );
}
