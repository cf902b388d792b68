import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreditKinds, WaitingCredits } from '../../../contract/operator/credits/credits.ts';
import {
  creditKindsQuery,
  creditQueueQuery,
  type QueueFilter,
  waitingCreditsQuery,
} from '../../api/credits/credits.ts';
import { errorFaceOf, StaleNotice } from '../../parts/query-face.tsx';
import { describeRule } from '../../parts/rule-words.ts';
import { useMayWrite } from '../../parts/signed-in.ts';
import { useListState } from '../../routing/use-list-state.ts';
import { useTitle } from '../../routing/use-title.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { FilterBar } from '../../ui/lists/filter-bar.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { formatAmount, formatCount } from '../../ui/text/numbers.ts';
import { formatDay } from '../../ui/text/times.ts';
import { DecideDialog, type Verdict } from './credit-dialogs.tsx';
import { groupColumns } from './group-columns.tsx';
import { GroupSheet } from './group-sheet.tsx';

const NO_FILTER = { rule: '', look: '' };

/** Credits that wait until somebody decides, by the code that the friends joined with. */
export function CreditsScreen() {
  useTitle('Credits');
  const list = useListState();
  const filter: QueueFilter = { rule: list.get('rule'), isSecondLook: list.get('look') !== '' };
  const query = useInfiniteQuery(creditQueueQuery(filter));
  const waiting = useQuery(waitingCreditsQuery);
  const kinds = useQuery(creditKindsQuery);
  const groups = query.data?.pages.flatMap((page) => page.groups);
  const isFiltered = filter.rule !== '' || filter.isSecondLook;
  const open = list.get('open');
  const counted = kinds.data?.rules ?? [];

  return (
    <>
      <PageHeader
        title="Credits"
        note="Friends who joined, and whose credit waits until somebody decides."
        actions={filter.rule !== '' && <DecideKind rule={filter.rule} />}
      />
      <FilterBar
        controls={
          <>
            <Select
              label="Why"
              isLabelHidden
              options={[
                { value: '', label: 'Any reason' },
                ...counted.map(({ rule, credits }) => ({
                  value: rule,
                  label: `${formatCount(credits)} × ${describeRule(rule)}`,
                })),
                ...(filter.rule === '' || counted.some(({ rule }) => rule === filter.rule)
                  ? []
                  : [{ value: filter.rule, label: describeRule(filter.rule) }]),
              ]}
              value={filter.rule}
              onChange={(rule) => list.set({ rule })}
            />
            <Checkbox
              label="Second look asked"
              checked={filter.isSecondLook}
              onChange={(isChecked) => list.set({ look: isChecked ? 'asked' : '' })}
            />
          </>
        }
        summary={waiting.data && describeWaiting(waiting.data)}
      />
      <StaleNotice query={query} />
      <Table
        label="Codes with held credits"
        columns={groupColumns}
        rows={groups}
        keyOf={({ referrer }) => referrer.id}
        nameOf={({ referrer }) => referrer.email}
        hrefOf={({ referrer }) => list.hrefWith({ open: referrer.id })}
        openKey={open || null}
        isStale={query.isFetching && !query.isFetchingNextPage && groups !== undefined}
        error={errorFaceOf(query)}
        empty={
          isFiltered ? (
            <EmptyFace
              title="No held credit matches"
              action={<Button onClick={() => list.set(NO_FILTER)}>Show all that waits</Button>}
            />
          ) : (
            <EmptyFace title="Nothing waits.">
              A credit is held when something speaks against it. The friend is in line all the same.
            </EmptyFace>
          )
        }
      />
      {groups !== undefined && (
        <div className="list-end">
          <p className="quiet">{kinds.data && describeList(kinds.data)}</p>
          {query.hasNextPage && (
            <Button onClick={() => query.fetchNextPage()} isBusy={query.isFetchingNextPage}>
              Show more
            </Button>
          )}
        </div>
      )}
      {open !== '' && (
        <GroupSheet
          key={open}
          referrerId={open}
          onClose={() => list.set({ open: '' }, { isStep: true })}
        />
      )}
    </>
  );
}

function describeList({ disposable_list: { published_at: day } }: CreditKinds): string {
  return `The list of throwaway domains dates from ${formatDay(day)}.`;
}

function describeWaiting({ credits, codes }: WaitingCredits): string {
  return `${formatAmount(credits, 'credit')} of ${formatAmount(codes, 'code')}`;
}

/** Decides about all held credits that the rule matched, whatever their code. */
function DecideKind({ rule }: { rule: string }) {
  const mayWrite = useMayWrite();
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  if (!mayWrite) return null;
  return (
    <>
      <Button onClick={() => setVerdict('given')}>Approve this kind</Button>
      <Button onClick={() => setVerdict('refused')}>Refuse this kind</Button>
      {verdict && (
        <DecideDialog
          verdict={verdict}
          title={`${verdict === 'given' ? 'Approve' : 'Refuse'} all held credits of this kind`}
          target={{ rule, again: true }}
          onClose={() => setVerdict(null)}
        />
      )}
    </>
  );
}
