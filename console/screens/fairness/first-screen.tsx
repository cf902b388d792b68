import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { FirstMember } from '../../../contract/operator/credits/first-in-line.ts';
import { firstInLineQuery } from '../../api/fairness.ts';
import { QueryList } from '../../parts/query-states.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useListState } from '../../routing/location.ts';
import { Checkbox, Segmented } from '../../ui/choices.tsx';
import { actionColumn, type Column } from '../../ui/columns.tsx';
import { Address, Pill, RelativeTime } from '../../ui/facts.tsx';
import { formatAmount, formatCount } from '../../ui/formats.ts';
import { FilterBar } from '../../ui/list-bars.tsx';
import { FirstMenu, isNew } from './first-actions.tsx';
import { FirstSheet } from './first-sheet.tsx';
import {
  describeFriends,
  describeHours,
  describeMailboxes,
  describeTraces,
  nameSign,
} from './first-words.ts';
import { FriendsDrawing, type Period, periodOf } from './friends-drawing.tsx';

const SORTS = [
  { value: 'suspicion', label: 'Most suspicious first' },
  { value: 'place', label: 'By place' },
];
const DAY_MS = 24 * 3600 * 1000;
const ACTIONS = actionColumn<FirstMember>('Actions', (row) => <FirstMenu row={row} />);

export function FirstScreen() {
  const list = useListState();
  const query = useQuery(firstInLineQuery);
  const sort = list.get('sort') || 'suspicion';
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
  const period = periodOf((all ?? []).map(({ drawn }) => drawn));
  return (
    <Screen
      title={all ? `The first ${formatCount(all.length)}` : 'The first in line'}
      name="First in line"
      note={
        'Whom a freeze would put first now, and what that rests on. Ten minutes: open a row ' +
        'and decide. Once it is marked as looked at, the next one opens.'
      }
      actions={
        <Segmented
          label="Order"
          options={SORTS}
          value={sort}
          onChange={(chosen) => list.set({ sort: chosen === 'suspicion' ? '' : chosen })}
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
      {all !== undefined && all.length > 0 && <Legend period={period} />}
      <QueryList
        query={query}
        list={list}
        label="The first in line"
        columns={[...columnsOf(period), ACTIONS]}
        rows={rows}
        keyOf={({ member }) => member.id}
        emptyTitle={isOnlyNew ? 'All are looked at' : 'Nobody is in line'}
        empty={isOnlyNew && 'Friends who join later bring their member back here.'}
      />
      {opened && (
        <FirstSheet
          key={open}
          row={opened}
          isListed={listed !== undefined}
          period={period}
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

function Legend({ period }: { period: Period }) {
  const days = formatAmount(Math.ceil((period.to - period.from) / DAY_MS), 'day');
  return (
    <ul className="drawing-legend" aria-label="How the drawings read">
      <li data-key="most">{`A friend, over the last ${days}; red and pink: shared networks`}</li>
      <li data-key="alone">From elsewhere</li>
      <li data-key="gone">Network not known</li>
      <li data-key="costly">A costly mailbox</li>
      <li data-key="open">One that anybody can open</li>
      <li data-key="waiting">Faint: not confirmed, held or refused</li>
    </ul>
  );
}

function columnsOf(period: Period): readonly Column<FirstMember>[] {
  return [
    {
      header: 'Member',
      cell: ({ member, place }) => (
        <>
          <span className="count">{`#${formatCount(place)}`}</span> <Address email={member.email} />
        </>
      ),
    },
    { header: 'Suspicion', isNarrow: true, cell: (row) => <Score row={row} /> },
    { header: 'Rests on', cell: (row) => <Basis row={row} period={period} /> },
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
  ];
}

function Score({ row: { suspicion, is_on_hold } }: { row: FirstMember }) {
  const tone = suspicion.score >= 50 ? 'ember' : suspicion.score >= 20 ? 'edge' : 'plain';
  return (
    <span className="suspicion">
      <Pill tone={tone}>{formatCount(suspicion.score)}</Pill>
      {suspicion.signs.slice(0, 2).map(({ sign }) => (
        <span key={sign} className="quiet">
          {nameSign(sign)}
        </span>
      ))}
      {is_on_hold && <span className="quiet">on hold</span>}
    </span>
  );
}

function Basis({ row, period }: { row: FirstMember; period: Period }) {
  if (row.read === 0) return describeFriends(row);
  const hours = describeHours(row);
  return (
    <div className="first-basis">
      <FriendsDrawing drawn={row.drawn} period={period} label={hours} />
      <div>
        <p>{describeFriends(row)}</p>
        <p className="quiet">{describeMailboxes(row)}</p>
        <p className="quiet">{describeTraces(row)}</p>
        <p className="quiet">
          {row.near_misses > 0 ? `${hours}; ${formatCount(row.near_misses)} noted by rules` : hours}
        </p>
      </div>
    </div>
  );
}
