import Ellipsis from 'lucide-react/icons/ellipsis';
import Gauge from 'lucide-react/icons/gauge';
import Keyboard from 'lucide-react/icons/keyboard';
import Send from 'lucide-react/icons/send';
import { type ReactNode, useState } from 'react';
import { Button, IconButton } from '../ui/buttons.tsx';
import { type Column, countColumn, type Sort, timeColumn } from '../ui/columns.tsx';
import { ConfirmDialog, type Preview } from '../ui/dialogs.tsx';
import { DropdownMenu } from '../ui/dropdown-menu.tsx';
import { KeyValues, Pill } from '../ui/facts.tsx';
import { SearchField, Select, TextField } from '../ui/fields.tsx';
import { formatAmount } from '../ui/formats.ts';
import { AppFrame, PageHeader, Section } from '../ui/frame.tsx';
import { HelpDialog } from '../ui/help-dialog.tsx';
import { FilterBar, SelectionBar } from '../ui/list-bars.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { SideSheet } from '../ui/side-sheet.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { showFailure, showToast } from '../ui/toasts.tsx';
import { ChartSample, ControlSamples, hoursAgo } from './part-samples.tsx';

const ICON = { 'aria-hidden': true, size: 18 } as const;

const destinations = ['Overview', 'Members', 'Stock', 'Mails', 'Changes', 'Webhooks'].map(
  (label, index) => ({
    path: `/${label.toLowerCase()}`,
    label,
    icon: <Gauge {...ICON} />,
    isFrequent: index < 4,
    waiting: index * 2,
  }),
);

export function Gallery() {
  const [current, setCurrent] = useState('/members');
  useShortcuts({ '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus() });
  return (
    <AppFrame
      name="Ghost Code"
      destinations={destinations}
      current={current}
      onGo={setCurrent}
      account={
        <>
          <p className="account-name">
            <span>Ada Lovelace</span>
            <span className="label">owner</span>
          </p>
          <IconButton label="Keyboard shortcuts" icon={<Keyboard {...ICON} />} />
        </>
      }
    >
      <PageHeader
        title="Parts"
        note="States of the console that its screens seldom show."
        actions={
          <>
            <Button>Secondary</Button>
            <Button variant="primary">Primary</Button>
          </>
        }
      />
      <ListSamples />
      <ControlSamples />
      <ChartSample />
      <LayerSamples />
    </AppFrame>
  );
}

const SMALL_ICON = { 'aria-hidden': true, size: 16 } as const;

const previews: Readonly<Record<string, Preview>> = {
  Confirm: {
    state: 'ready',
    sentences: ['ada@example.com leaves the line.', '37 positions move, 2 members lose tier 2.'],
  },
  'Confirm, waiting': { state: 'waiting', hint: 'Enter a whole number.' },
  'Confirm, loading': { state: 'loading' },
  'Confirm, failed': {
    state: 'failed',
    message: 'The server cannot be reached.',
    onRetry: () => {},
  },
  'Confirm, not possible': { state: 'refused', message: 'Only 33 of size Large are available.' },
  'Confirm, refused': { state: 'ready', sentences: ['The stock of Small becomes 2.'] },
  'Confirm, busy': { state: 'ready', sentences: ['The stock of Small becomes 20.'] },
};

function LayerSamples() {
  const [open, setOpen] = useState('');
  return (
    <Section title="Layers">
      <div className="sample-row">
        {[...Object.keys(previews), 'Sheet', 'Help'].map((name) => (
          <Button key={name} onClick={() => setOpen(name)}>
            {name}
          </Button>
        ))}
        <Button onClick={() => showToast('ada@example.com is out of the line')}>Toast</Button>
        <Button onClick={() => showFailure('Not removed', 'The server cannot be reached.')}>
          Toast, failed
        </Button>
        <DropdownMenu
          trigger={<IconButton label="More actions" icon={<Ellipsis {...SMALL_ICON} />} />}
          groups={[
            [{ label: 'Resend the status link', icon: <Send {...SMALL_ICON} />, onSelect() {} }],
            [{ label: 'Remove', isDanger: true, onSelect() {} }],
          ]}
        />
      </div>
      {layer(open, () => setOpen(''))}
    </Section>
  );
}

function layer(open: string, close: () => void): ReactNode {
  if (open === 'Help')
    return (
      <HelpDialog
        groups={{ Anywhere: [['/', 'Search']], 'Go to': [['g m', 'Members']] }}
        onClose={close}
      />
    );
  if (open === 'Sheet')
    return (
      <SideSheet title="ada@example.com" onClose={close}>
        <KeyValues entries={{ Position: '#128', Why: '5 friends x 2 + 1 invited = 11 points' }} />
      </SideSheet>
    );
  const preview = previews[open];
  if (!preview) return null;
  return (
    <ConfirmDialog
      title="Remove from the line"
      preview={preview}
      undoNote="You can undo this for 24 hours."
      confirmLabel="Remove"
      isDanger={open !== 'Confirm, busy'}
      isBusy={open === 'Confirm, busy'}
      failure={open === 'Confirm, refused' ? '3 masks of Small are allocated.' : ''}
      onConfirm={async () => close()}
      onClose={close}
    >
      {open === 'Confirm, refused' && <TextField label="Stock" defaultValue="2" />}
    </ConfirmDialog>
  );
}

const NAMES = [
  'ada@example.com',
  'grace.hopper@mail.example.com',
  'a.rather.long.address.of.somebody@subdomain.example.com',
  'edsger@example.com',
  'katherine@example.com',
  'barbara@example.com',
];
const STATES = [
  ['given', 'charged'],
  ['pending', 'edge'],
  ['refused', 'ember'],
] as const;

const samples = NAMES.map((email, index) => ({
  id: `sample-${index}`,
  email,
  position: index * 2063 + 1,
  friends: index * 7,
  state: STATES[index % 3] ?? STATES[0],
  joinedAt: hoursAgo(index * index * 9 + 0.2),
}));
type Sample = (typeof samples)[number];

const columns: readonly Column<Sample>[] = [
  { header: 'Address', cell: ({ email }) => email },
  countColumn('Position', ({ position }) => position, { sortKey: 'position' }),
  countColumn('Friends', ({ friends }) => friends, { sortKey: 'friends', isMinor: true }),
  {
    header: 'Credit',
    isNarrow: true,
    cell: ({ state: [words, tone] }) => <Pill tone={tone}>{words}</Pill>,
  },
  timeColumn('Joined', ({ joinedAt }) => joinedAt),
];

const table = {
  columns,
  keyOf: ({ id }: Sample) => id,
  nameOf: ({ email }: Sample) => email,
  empty: (
    <EmptyState title="No member matches" action={<Button>Clear the filter</Button>}>
      Try other words.
    </EmptyState>
  ),
};

function ListSamples() {
  const [text, setText] = useState('');
  const [sort, setSort] = useState<Sort>({ by: 'position', isDescending: false });
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set(['sample-1']));
  return (
    <>
      <Section title="A list">
        <FilterBar
          chips={[
            { label: 'Tier: 2', onRemove() {} },
            { label: 'Source: newsletter', onRemove() {} },
          ]}
          onClear={() => setText('')}
          summary={formatAmount(12_380, 'member')}
        >
          <SearchField
            label="Search members"
            placeholder="Address, code, id or position"
            value={text}
            onSearch={setText}
          />
          <Select label="Tier" isLabelHidden options={{ '': 'All tiers' }} />
        </FilterBar>
        <Table
          {...table}
          label="Members"
          rows={samples.filter(({ email }) => email.includes(text))}
          hrefOf={({ id }) => `/${id}`}
          openKey="sample-3"
          sort={sort}
          onSort={setSort}
          selection={{ keys, onChange: setKeys }}
        />
        {keys.size > 0 && (
          <SelectionBar
            summary={`${formatAmount(keys.size, 'member')} selected`}
            onClear={() => setKeys(new Set())}
          >
            <Button>Export</Button>
            <Button variant="danger">Remove</Button>
          </SelectionBar>
        )}
      </Section>
      <Section title="A list that is loading, stale, empty, failed">
        <div className="sample-stack">
          <Table {...table} label="Loading" rows={undefined} />
          <Table {...table} label="Stale" rows={samples.slice(0, 2)} isStale />
          <Table {...table} label="Empty" rows={[]} />
          <Table
            {...table}
            label="Failed"
            rows={undefined}
            error={<ErrorState message="The server cannot be reached." onRetry={() => {}} />}
          />
        </div>
      </Section>
    </>
  );
}
