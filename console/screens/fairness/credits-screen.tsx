import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { describeRule } from '../../../contract/fraud-rules.ts';
import type { CreditGroup } from '../../../contract/operator/credits/credits.ts';
import { creditKindsQuery, creditQueueQuery, waitingCreditsQuery } from '../../api/fairness.ts';
import { QueryList } from '../../parts/query-states.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useListState } from '../../routing/location.ts';
import { Button } from '../../ui/buttons.tsx';
import { Checkbox } from '../../ui/choices.tsx';
import { type Column, codeColumn, countColumn, timeColumn } from '../../ui/columns.tsx';
import { Address } from '../../ui/facts.tsx';
import { Select } from '../../ui/fields.tsx';
import { formatAmount, formatCount, formatDay } from '../../ui/formats.ts';
import { FilterBar } from '../../ui/list-bars.tsx';
import { DecideButtons } from './credit-dialogs.tsx';
import { GroupPills, GroupSheet } from './group-sheet.tsx';

const columns: readonly Column<CreditGroup>[] = [
  { header: 'Invited by', cell: ({ referrer }) => <Address email={referrer.email} /> },
  countColumn('To check', ({ held }) => held),
  { header: 'Why', cell: describeRules },
  { header: 'State', isNarrow: true, cell: (group) => GroupPills({ group }) },
  {
    header: 'Approved, refused',
    align: 'end',
    isNarrow: true,
    isMinor: true,
    cell: ({ friends }) => `${formatCount(friends.given)}, ${formatCount(friends.refused)}`,
  },
  codeColumn('Code', ({ referrer }) => referrer.referral_code),
  timeColumn('Since', ({ since }) => since),
];

function describeRules({ held, rules: [first, ...rest] }: CreditGroup): string {
  if (held === 0) return 'Every new friend waits here.';
  if (first === undefined) return 'An operator wants them checked.';
  const more = rest.length === 0 ? '' : ` ${formatAmount(rest.length, 'reason')} more.`;
  return `${describeRule(first.rule)}${more}`;
}

export function CreditsScreen() {
  const list = useListState();
  const rule = list.get('rule');
  const look = list.get('look');
  const hold = list.get('hold');
  const isFiltered = rule !== '' || look !== '' || hold !== '';
  const query = useInfiniteQuery(creditQueueQuery({ rule, second_look: look, on_hold: hold }));
  const waiting = useQuery(waitingCreditsQuery).data;
  const kinds = useQuery(creditKindsQuery).data;
  const listedOn = kinds?.disposable_list.published_at;
  const open = list.get('open');
  return (
    <Screen
      title="Friends to check"
      note={
        'They joined by an invite, and something about them looks unusual. They are in line; ' +
        'whoever invited them gets points for them once you approve.'
      }
      actions={
        rule !== '' && (
          <DecideButtons
            what="all waiting friends of this kind"
            isSuspect
            target={{ rule, again: true }}
            wordsOf={(decide) => ({ label: `${decide} this kind` })}
          />
        )
      }
    >
      <FilterBar
        summary={
          waiting &&
          `${formatAmount(waiting.credits, 'friend')} of ${formatAmount(waiting.codes, 'code')}`
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
          checked={look !== ''}
          onChange={(isChecked) => list.set({ look: isChecked ? 'asked' : '' })}
        />
        <Checkbox
          label={
            waiting ? `Always checked (${formatCount(waiting.codes_on_hold)})` : 'Always checked'
          }
          checked={hold !== ''}
          onChange={(isChecked) => list.set({ hold: isChecked ? 'yes' : '' })}
        />
      </FilterBar>
      <QueryList
        query={query}
        list={list}
        label="Codes with friends to check"
        columns={columns}
        rows={query.data?.pages.flatMap((page) => page.groups)}
        keyOf={({ referrer }) => referrer.id}
        emptyTitle={isFiltered ? 'No code matches' : 'Nobody to check'}
        empty={
          !isFiltered &&
          'A friend waits here when something looks unusual. They are in line all the same.'
        }
        emptyAction={
          isFiltered && (
            <Button onClick={() => list.set({ rule: '', look: '', hold: '' })}>Show all</Button>
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
