import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { FirstMember } from '../../../contract/operator/first-in-line.ts';
import { QueryList } from '../../parts/query-states.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useListState } from '../../routing/location.ts';
import { Checkbox, Segmented } from '../../ui/choices.tsx';
import { Address, RelativeTime } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/formats.ts';
import { FilterBar } from '../../ui/list-bars.tsx';
import { actionColumn, type Column } from '../../ui/table.tsx';
import { FirstMenu, firstInLineQuery, isNew } from './first-actions.tsx';
import { FirstSheet } from './first-sheet.tsx';
import { describeFriends, describeGroup } from './first-words.ts';

const SORTS = [
  { value: 'alike', label: 'Most alike first' },
  { value: 'place', label: 'By place' },
];

export function FirstScreen() {
  const list = useListState();
  const query = useQuery(firstInLineQuery);
  const sort = list.get('sort') || 'alike';
  const isOnlyNew = list.get('new') !== '';
  const open = list.get('open');
  const all = query.data?.members;
  const members = sort === 'place' ? all?.toSorted((a, b) => a.place - b.place) : all;
  const rows = members?.filter((row) => !isOnlyNew || isNew(row) || row.member.id === open);
  const kept = useRef<FirstMember | null>(null);
  const listed = all?.find(({ member }) => member.id === open);
  if (listed) kept.current = listed;
  // A decision may move the member out of the list, whose sheet then stays as it was.
  const opened = listed ?? (kept.current?.member.id === open ? kept.current : undefined);
  return (
    <Screen
      title={all ? `The first ${formatCount(all.length)}` : 'The first in line'}
      name="First in line"
      note={
        'Whom a freeze would put first now, and who stands alike. Open a row and decide. Once it ' +
        'is marked as looked at, the next one opens.'
      }
      actions={
        <Segmented
          label="Order"
          options={SORTS}
          value={sort}
          onChange={(chosen) => list.set({ sort: chosen === 'alike' ? '' : chosen })}
        />
      }
    >
      <FilterBar
        summary={
          query.data &&
          `${formatCount(query.data.looked)} of ${formatCount(query.data.members.length)} looked at`
        }
      >
        <Checkbox
          label="Not looked at"
          checked={isOnlyNew}
          onChange={(isChecked) => list.set({ new: isChecked ? 'yes' : '' })}
        />
      </FilterBar>
      <QueryList
        query={query}
        list={list}
        label="The first in line"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ member }) => member.id}
        emptyTitle={isOnlyNew ? 'All are looked at' : 'Nobody has confirmed'}
        empty={isOnlyNew && 'Friends who join later bring their member back here.'}
      />
      {opened && (
        <FirstSheet
          key={open}
          row={opened}
          isListed={listed !== undefined}
          next={nextAfter(rows ?? [], open)}
          onOpen={(id) => list.set({ open: id })}
          onClose={list.close}
        />
      )}
    </Screen>
  );
}

function nextAfter(rows: readonly FirstMember[], open: string): string | null {
  const index = rows.findIndex(({ member }) => member.id === open);
  return rows.slice(index + 1).find(isNew)?.member.id ?? null;
}

const COLUMNS: readonly Column<FirstMember>[] = [
  {
    header: 'Member',
    cell: ({ member, place }) => (
      <>
        <span className="count">{`#${formatCount(place)}`}</span> <Address email={member.email} />
      </>
    ),
  },
  {
    header: 'Invited by',
    isMinor: true,
    cell: ({ invited_by: inviter }) => inviter?.email ?? null,
  },
  { header: 'Rests on', cell: (row) => <Basis row={row} /> },
  {
    header: 'Looked at',
    isMinor: true,
    cell: ({ looked }) =>
      looked && (
        <>
          <span>{looked.by}</span> <RelativeTime at={looked.at} />
          {looked.friends_since > 0 && (
            <span>{`, ${formatCount(looked.friends_since)} friends since`}</span>
          )}
        </>
      ),
  },
  actionColumn<FirstMember>('Actions', (row) => <FirstMenu row={row} />),
];

/** The friends, the largest group of them, and the largest that the member stands in. */
function Basis({ row: { friends, friend_groups, stands_with } }: { row: FirstMember }) {
  const [own] = friend_groups;
  const [shared] = stands_with;
  return (
    <>
      <p>{describeFriends(friends)}</p>
      {own && <p className="quiet">{describeGroup(own, 'friend')}</p>}
      {shared && <p className="quiet">{`Stands with ${describeGroup(shared, 'member')}`}</p>}
    </>
  );
}
