import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import { Pill } from '../../ui/data/pill.tsx';

const FACES = {
  draft: ['edge', 'Draft'],
  sending: ['charged', 'Sending'],
  sent: ['plain', 'Sent'],
  cancelled: ['plain', 'Cancelled'],
} as const;

export function CampaignPill({ of: { state } }: { of: Pick<Campaign, 'state'> }) {
  const [tone, words] = FACES[state];
  return <Pill tone={tone}>{words}</Pill>;
}
