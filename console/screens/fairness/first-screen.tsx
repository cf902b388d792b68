import { useRef } from 'react';
import { Link } from 'wouter';
import type { FirstMember, PeopleGroup } from '../../../contract/operator/first-in-line.ts';
import { useRead } from '../../api/queries.ts';
import { ActionButton, type Layer, useAction, useMayWrite, useShow } from '../../parts/changes.tsx';
import { changeForm, makeChange, undoChange } from '../../parts/forms.tsx';
import { QueryList, Screen } from '../../parts/screen.tsx';
import { useListState } from '../../routing/location.ts';
import { Button } from '../../ui/buttons.tsx';
import { ActionsMenu } from '../../ui/dropdown-menu.tsx';
import { Address, CodeText, ItemList, KeyValues, RelativeTime, Section } from '../../ui/facts.tsx';
import { Checkbox, Segmented } from '../../ui/fields.tsx';
import { formatCount, formatMoment } from '../../ui/formats.ts';
import { FilterBar } from '../../ui/list-bars.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { actionColumn, type Column } from '../../ui/table.tsx';
import { type Decision, decide, removeMembers } from '../members/member-dialogs.tsx';
import { describeFriends, describeGroup, nameGroup } from './first-words.ts';

const SORTS = [
  { value: 'alike', label: 'Most alike first' },
  { value: 'place', label: 'By place' },
];

export function FirstScreen() {
  const list = useListState();
  const query = useRead('GET firstInLine');
  const sort = list.field('sort', 'alike');
  const isOnlyNew = list.get('new') !== '';
  const open = list.get('open');
  const all = query.data?.members;
  const members = sort.value === 'place' ? all?.toSorted((a, b) => a.place - b.place) : all;
  const rows = members?.filter((row) => !isOnlyNew || isNew(row) || row.member.id === open);
  const kept = useRef<FirstMember | null>(null);
  const listed = all?.find(({ member }) => member.id === open);
  if (listed) kept.current = listed;
  // A decision may move the member out of the list, whose sheet then stays as it was.
  const opened = listed ?? (kept.current?.member.id === open ? kept.current : undefined);
  return (
    <Screen
      title={all && all.length > 1 ? `The first ${formatCount(all.length)}` : 'The first in line'}
      name="First in line"
      note={
        'Whom a freeze would put first now, and who stands alike. Open a row and decide. Once it ' +
        'is marked as looked at, the next one opens.'
      }
      actions={<Segmented label="Order" options={SORTS} {...sort} />}
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
    <div>
      <p>{describeFriends(friends)}</p>
      {own && <p className="quiet">{describeGroup(own, 'friend')}</p>}
      {shared && <p className="quiet">{`Stands with ${describeGroup(shared, 'member')}`}</p>}
    </div>
  );
}

type FirstSheetProps = {
  readonly row: FirstMember;
  readonly isListed: boolean;
  readonly next: string | null;
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
};

const keyOf = ({ by, name, member_ids: ids }: PeopleGroup) => `${by} ${name ?? ids[0]}`;

function FirstSheet({ row, isListed, next, onOpen, onClose }: FirstSheetProps) {
  const { member, place, looked, invited_by: inviter, friends } = row;
  return (
    <SideSheet title={member.email} onClose={onClose}>
      <div className="sheet-parts">
        <LookButton row={row} onLooked={() => (next === null ? onClose() : onOpen(next))} />
        <KeyValues
          entries={{
            Place: isListed
              ? `#${formatCount(place)} at a freeze, #${formatCount(member.position)} in line`
              : 'No longer among the first; below is how it was',
            'Invited by': inviter && (
              <Link href={`/members?open=${inviter.id}`}>
                <Address email={inviter.email} />
              </Link>
            ),
            Friends: describeFriends(friends),
            Code: <CodeText label="the code" value={member.referral_code} />,
            'Looked at': looked && `${looked.by}, ${formatMoment(looked.at)}`,
          }}
        />
        <Section title="Friends who are alike">
          <ItemList
            none="No two of them share a domain or a network."
            items={row.friend_groups.map((group) => ({
              key: keyOf(group),
              name: describeGroup(group, 'friend'),
              more: <GroupActions group={group} code={member.referral_code} />,
            }))}
          />
        </Section>
        <Section title="Stands with">
          <ItemList
            none="Nobody else of the first shares an inviter, domain or network."
            items={row.stands_with.map((group) => ({
              key: keyOf(group),
              name: describeGroup(group, 'member'),
            }))}
          />
        </Section>
        <p>
          <Link href={`/members?open=${member.id}`}>All about this member</Link>
        </p>
      </div>
    </SideSheet>
  );
}

const REASON = 'Before the freeze.';

const isNew = ({ looked }: FirstMember) => looked === null || looked.friends_since > 0;

function useLook({ member, looked }: FirstMember) {
  return useAction(
    (isLooked: boolean) =>
      isLooked || looked === null
        ? makeChange({ kind: 'look-at-member', input: { member_id: member.id }, reason: REASON })
        : undoChange(looked.change, REASON),
    { failed: 'Not noted' },
  );
}

function LookButton({ row, onLooked }: { row: FirstMember; onLooked: () => void }) {
  const mayWrite = useMayWrite();
  const look = useLook(row);
  const markLooked = () => look.mutate(true, { onSuccess: onLooked });
  useShortcuts(mayWrite ? { l: markLooked } : {});
  if (!mayWrite) return null;
  return (
    <div className="actions">
      <Button variant="primary" isBusy={look.isPending} onClick={markLooked}>
        Looked at, next
      </Button>
    </div>
  );
}

/** Holds or refuses friends who share a domain or a network: others of the code stay. */
function GroupActions({ group, code }: { group: PeopleGroup; code: string }) {
  const show = useShow();
  if (!useMayWrite()) return null;
  const { by, name, member_ids: friendIds } = group;
  const what = `the friends of ${code} ${nameGroup(group)}`;
  const target = {
    code,
    again: true,
    ...(by === 'domain' ? { domain: name ?? '' } : { network_of: friendIds[0] ?? '' }),
  };
  return (
    <div className="actions">
      <ActionButton
        label="Hold"
        dialog={decide('held', { what, target })}
        aria-label={`Hold ${what}`}
      />
      <ActionButton
        label="Refuse"
        dialog={refuse({ what, target, friendIds }, show)}
        aria-label={`Refuse ${what}`}
      />
      <ActionButton
        label="Approve"
        variant="quiet"
        dialog={decide('given', { what, target })}
        aria-label={`Approve ${what}`}
      />
    </div>
  );
}

function FirstMenu({ row }: { row: FirstMember }) {
  const look = useLook(row);
  return (
    <ActionsMenu
      label={`Actions for ${row.member.email}`}
      groups={[
        [
          {
            label: isNew(row) ? 'Mark as looked at' : 'Mark as not looked at',
            onSelect: () => look.mutate(isNew(row)),
          },
        ],
      ]}
    />
  );
}

/** They keep their own places unless they are removed, too. */
function refuse(
  decision: Decision & { readonly friendIds: readonly string[] },
  show: (layer: Layer) => void,
): Layer {
  const { what, target, friendIds } = decision;
  return changeForm({
    title: `Refuse ${what}`,
    confirmLabel: 'Refuse',
    isDanger: true,
    fields: {
      goesOn: {
        label: 'Then look at removing them from the line',
        kind: 'checkbox',
        read: () => undefined,
      },
    },
    want: { kind: 'decide-credits', input: { state: 'refused', ...target } },
    onMade: (_, { goesOn }) => {
      if (goesOn !== '') show(removeMembers({ member_ids: [...friendIds] }));
    },
  });
}
