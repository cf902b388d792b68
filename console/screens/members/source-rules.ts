import type { ListedMember } from '../../../contract/operator/member-list.ts';

type Source = Pick<
  ListedMember,
  'utm_source' | 'utm_medium' | 'utm_campaign' | 'referring_host' | 'via'
>;

export function describeSource(source: Source): string | null {
  const { utm_source, utm_medium, utm_campaign, referring_host, via } = source;
  const campaign = [utm_source, utm_medium, utm_campaign].filter(Boolean).join(' / ');
  const parts = [
    campaign,
    referring_host && `from ${referring_host}`,
    via && `shared by ${via}`,
  ].filter(Boolean);
  return parts.length === 0 ? null : parts.join(', ');
}
