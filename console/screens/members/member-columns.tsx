import type { ListedMember } from '../../../contract/operator/member-list.ts';
import { StatePill } from '../../parts/state-pills.tsx';
import { type Column, codeColumn, countColumn, timeColumn } from '../../ui/columns.tsx';
import { Address, Pill } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/formats.ts';
import { CREDITS, MAIL_LABELS } from './filter-rules.ts';

export const memberColumns: readonly Column<ListedMember>[] = [
  { header: 'Member', cell: ({ email }) => <Address email={email} /> },
  {
    header: 'Position',
    align: 'end',
    isNarrow: true,
    sortKey: 'position',
    cell: ({ position }) => `#${formatCount(position)}`,
  },
  countColumn('Friends', ({ referral_count }) => referral_count, { sortKey: 'referrals' }),
  countColumn('Confirmed', ({ confirmed_referrals = 0 }) => confirmed_referrals, { isMinor: true }),
  countColumn('Tier', ({ tier_level }) => tier_level || null, { isMinor: true }),
  codeColumn('Code', ({ referral_code }) => referral_code),
  { header: 'State', isNarrow: true, cell: (member) => memberPills(member) },
  timeColumn('Joined', ({ joined_at }) => joined_at, { sortKey: 'joined' }),
];

function memberPills({ credit, mail_state }: ListedMember) {
  const isUsual = credit === 'none' || credit === 'given';
  if (isUsual && mail_state === 'sending') return null;
  return (
    <span className="pills">
      {!isUsual && <StatePill states={CREDITS} state={credit} />}
      {mail_state !== 'sending' && <Pill tone="ember">{MAIL_LABELS[mail_state]}</Pill>}
    </span>
  );
}
