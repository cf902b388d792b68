import type { ReactNode } from 'react';
import type { CreditGroup } from '../../../contract/operator/credits/credits.ts';
import { describeRule } from '../../parts/rule-words.ts';
import { Pill } from '../../ui/data/pill.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { Address } from '../../ui/text/address.tsx';
import { formatAmount, formatCount } from '../../ui/text/numbers.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';

export const groupColumns: readonly Column<CreditGroup>[] = [
  {
    key: 'referrer',
    header: 'Invited by',
    cell: ({ referrer }) => <Address email={referrer.email} />,
  },
  {
    key: 'held',
    header: 'Held',
    align: 'end',
    isNarrow: true,
    cell: ({ held }) => formatCount(held),
  },
  { key: 'why', header: 'Why', cell: describeRules },
  { key: 'state', header: 'State', isNarrow: true, cell: groupPills },
  {
    key: 'decided',
    header: 'Given, refused',
    align: 'end',
    isNarrow: true,
    isMinor: true,
    cell: ({ friends }) => `${formatCount(friends.given)}, ${formatCount(friends.refused)}`,
  },
  {
    key: 'code',
    header: 'Code',
    isNarrow: true,
    isMinor: true,
    cell: ({ referrer }) => <code>{referrer.referral_code}</code>,
  },
  {
    key: 'since',
    header: 'Since',
    isNarrow: true,
    cell: ({ since }) => <RelativeTime at={since} />,
  },
];

/** What was found in the most friends, and how much more there is. */
function describeRules({ rules: [first, ...others] }: CreditGroup): ReactNode {
  if (first === undefined) return 'An operator held them.';
  const more = others.length === 0 ? '' : ` ${formatAmount(others.length, 'reason')} more.`;
  return `${describeRule(first.rule)}${more}`;
}

function groupPills(group: CreditGroup): ReactNode {
  return <GroupPills group={group} />;
}

/** What sets a code apart from the others that wait. */
export function GroupPills({ group }: { group: CreditGroup }) {
  const { is_on_hold, second_look_at } = group;
  if (!is_on_hold && second_look_at === null) return null;
  return (
    <span className="pills">
      {second_look_at !== null && <Pill tone="charged">Second look asked</Pill>}
      {is_on_hold && <Pill tone="edge">All held</Pill>}
    </span>
  );
}
