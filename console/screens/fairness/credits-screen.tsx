import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { CreditGroup } from '../../../contract/operator/credits/credits.ts';
import { creditKindsQuery, creditQueueQuery, waitingCreditsQuery } from '../../api/fairness.ts';
import { QueryList } from '../../parts/query-states.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useListState } from '../../routing/location.ts';
import { Button } from '../../ui/buttons.tsx';
import { Checkbox } from '../../ui/choices.tsx';
import { type Column, countColumn, timeColumn } from '../../ui/columns.tsx';
import { Address } from '../../ui/facts.tsx';
import { Select } from '../../ui/fields.tsx';
import { formatAmount, formatCount, formatDay } from '../../ui/formats.ts';
import { FilterBar } from '../../ui/list-bars.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DecideButtons } from './credit-dialogs.tsx';
import { GroupPills, GroupSheet } from './group-sheet.tsx';
import { describeRule } from './rule-words.ts';

const columns: readonly Column<CreditGroup>[] = [
  { header: 'Invited by', cell: ({ referrer }) => <Address email={referrer.email} /> },
  countColumn('Held', ({ held }) => held),
  { header: 'Why', cell: describeRules },
  { header: 'State', isNarrow: true, cell: (group) => GroupPills({ group }) },
  {
    header: 'Given, refused',
    align: 'end',
    isNarrow: true,
    isMinor: true,
    cell: ({ friends }) => `${formatCount(friends.given)}, ${formatCount(friends.refused)}`,
  },
  {
    header: 'Code',
    isNarrow: true,
    isMinor: true,
    cell: ({ referrer }) => <code>{referrer.referral_code}</code>,
  },
  timeColumn('Since', ({ since }) => since),
];

function describeRules({ rules: [first, ...rest] }: CreditGroup): string {
  if (first === undefined) return 'An operator held them.';
  const more = rest.length === 0 ? '' : ` ${formatAmount(rest.length, 'reason')} more.`;
  return `${describeRule(first.rule)}${more}`;
}

export function CreditsScreen() {
  const list = useListState();
  const rule = list.get('rule');
  const isSecondLook = list.get('look') !== '';
  const query = useInfiniteQuery(creditQueueQuery(rule, isSecondLook));
  const waiting = useQuery(waitingCreditsQuery).data;
  const kinds = useQuery(creditKindsQuery).data;
  const listedOn = kinds?.disposable_list.published_at;
  const open = list.get('open');
  return (
    <Screen
      title="Credits"
      note="Friends who joined, and whose credit waits until somebody decides."
      actions={
        rule !== '' && (
          <DecideButtons
            what="all held credits of this kind"
            target={{ rule, again: true }}
            wordsOf={(decide) => ({ label: `${decide} this kind` })}
          />
        )
      }
    >
      <FilterBar
        summary={
          waiting &&
          `${formatAmount(waiting.credits, 'credit')} of ${formatAmount(waiting.codes, 'code')}`
        }
      >
        <Select
          label="Why"
          isLabelHidden
          options={listRules(kinds?.rules ?? [], rule)}
          value={rule}
          onChange={(chosen) => list.set({ rule: chosen })}
        />
        <Checkbox
          label="Second look asked"
          checked={isSecondLook}
          onChange={(isChecked) => list.set({ look: isChecked ? 'asked' : '' })}
        />
      </FilterBar>
      <QueryList
        query={query}
        list={list}
        label="Codes with held credits"
        columns={columns}
        rows={query.data?.pages.flatMap((page) => page.groups)}
        keyOf={({ referrer }) => referrer.id}
        empty={
          rule !== '' || isSecondLook ? (
            <EmptyState
              title="No held credit matches"
              action={
                <Button onClick={() => list.set({ rule: '', look: '' })}>
                  Show all that waits
                </Button>
              }
            />
          ) : (
            <EmptyState title="Nothing waits.">
              A credit is held when something speaks against it. The friend is in line all the same.
            </EmptyState>
          )
        }
        summary={listedOn && `The list of throwaway domains dates from ${formatDay(listedOn)}.`}
      />
      {open !== '' && <GroupSheet key={open} referrerId={open} onClose={list.close} />}
    </Screen>
  );
}

function listRules(counted: readonly { rule: string; credits: number }[], chosen: string) {
  const options = counted.map(({ rule, credits }) => ({
    value: rule,
    label: `${formatCount(credits)} × ${describeRule(rule)}`,
  }));
  if (chosen !== '' && counted.every(({ rule }) => rule !== chosen))
    options.push({ value: chosen, label: describeRule(chosen) });
  return [{ value: '', label: 'Any reason' }, ...options];
}
