import type { ReactNode } from 'react';
import type { ListedMember } from '../../../contract/operator/member-list.ts';
import { CREDIT_LABELS, MAIL_LABELS } from '../../parts/member-filter/filter-rules.ts';
import { Pill } from '../../ui/data/pill.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { Address } from '../../ui/text/address.tsx';
import { formatCount } from '../../ui/text/numbers.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';

const CREDIT_TONES = {
  none: 'plain',
  pending: 'edge',
  held: 'edge',
  given: 'charged',
  refused: 'ember',
} as const;

export const memberColumns: readonly Column<ListedMember>[] = [
  { key: 'email', header: 'Member', cell: ({ email }) => <Address email={email} /> },
  {
    key: 'position',
    header: 'Position',
    align: 'end',
    isNarrow: true,
    isSortable: true,
    cell: ({ position }) => `#${formatCount(position)}`,
  },
  {
    key: 'referrals',
    header: 'Friends',
    align: 'end',
    isNarrow: true,
    isSortable: true,
    cell: ({ referral_count }) => formatCount(referral_count),
  },
  {
    key: 'tier',
    header: 'Tier',
    align: 'end',
    isNarrow: true,
    isMinor: true,
    cell: ({ tier_level }) => (tier_level === 0 ? '—' : tier_level),
  },
  {
    key: 'code',
    header: 'Code',
    isNarrow: true,
    isMinor: true,
    cell: ({ referral_code }) => <code>{referral_code}</code>,
  },
  {
    key: 'state',
    header: 'State',
    isNarrow: true,
    cell: memberPills,
  },
  {
    key: 'joined',
    header: 'Joined',
    isNarrow: true,
    isSortable: true,
    cell: ({ joined_at }) => <RelativeTime at={joined_at} />,
  },
];

/** What is worth a look: credit that is not given, and mail that does not reach them. */
function memberPills({ credit, mail_state }: ListedMember): ReactNode {
  const isUsual = credit === 'none' || credit === 'given';
  if (isUsual && mail_state === 'sending') return null;
  return (
    <span className="pills">
      {!isUsual && <CreditPill credit={credit} />}
      {mail_state !== 'sending' && <Pill tone="ember">{MAIL_LABELS[mail_state]}</Pill>}
    </span>
  );
}

export function CreditPill({ credit }: Pick<ListedMember, 'credit'>) {
  return <Pill tone={CREDIT_TONES[credit]}>{CREDIT_LABELS[credit]}</Pill>;
}
