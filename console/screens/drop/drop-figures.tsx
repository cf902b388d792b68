import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { pagePaths } from '../../../contract/paths.ts';
import { ActionButton } from '../../parts/changes.tsx';
import { changeForm } from '../../parts/forms.tsx';
import { CodeText, EmptyState, KeyValues, Section, Stat, StatRow } from '../../ui/facts.tsx';
import { formatCount, formatMoment } from '../../ui/formats.ts';
import { type Column, countColumn, Table } from '../../ui/table.tsx';
import { sumAvailable } from './draw-rules.ts';
import { describeRule } from './step-rules.ts';

export function DropFigures({ facts }: { facts: DropFacts }) {
  const isOpen = facts.drop.state === 'open';
  return (
    <Section title={isOpen ? 'Before the freeze' : 'Who takes part'}>
      {isOpen ? <OpenFigures facts={facts} /> : <FrozenFigures facts={facts} />}
      <Sizes facts={facts} />
    </Section>
  );
}

function OpenFigures({ facts: { members, sizes } }: { facts: DropFacts }) {
  return (
    <>
      <StatRow label="Figures of the line">
        <Stat label="In line" value={formatCount(members)} />
        <Stat label="Masks available" value={formatCount(sumAvailable(sizes))} isCharged />
      </StatRow>
      <p className="drop-note quiet">
        Before a freeze, <Link href="/first">look at the first in line</Link>. Only members who have
        confirmed are frozen.
      </p>
    </>
  );
}

function FrozenFigures({ facts }: { facts: DropFacts }) {
  const { entrants, chosen, drop, following, cards } = facts;
  const isDrawn = drop.selected_at !== null;
  return (
    <StatRow label="Figures of the list">
      <Stat label="Entrants" value={formatCount(entrants.entrants)} isCharged />
      <Stat label="Named sizes" value={formatCount(entrants.with_wish)} />
      <Stat
        label="Friends held"
        value={formatCount(entrants.held_credits)}
        note={entrants.held_credits > 0 ? 'They do not count.' : undefined}
      />
      {cards && (
        <>
          <Stat
            label="Cards that hold the price"
            value={formatCount(cards.held)}
            note={`Open until ${formatMoment(cards.enter_until)}`}
          />
          <Stat label="Entering" value={formatCount(cards.entering)} />
          {isDrawn && <Stat label="Being charged" value={formatCount(cards.capturing)} />}
          {isDrawn && <Stat label="Being released" value={formatCount(cards.releasing)} />}
        </>
      )}
      {isDrawn && <Stat label="Chosen" value={formatCount(chosen)} />}
      {isDrawn && <Stat label="Without an offer" value={formatCount(following)} />}
    </StatRow>
  );
}

type SizeRow = {
  readonly size: string;
  readonly available: number;
  readonly given: number | null;
  readonly first: number;
};

const columns: readonly Column<SizeRow>[] = [
  { header: 'Size', cell: ({ size }) => size },
  countColumn('Available', ({ available }) => available, { isNarrow: false }),
];
const frozenColumns: readonly Column<SizeRow>[] = [
  ...columns,
  countColumn('Announced', ({ given }) => given, { isNarrow: false }),
  countColumn('Preferred by', ({ first }) => first, { isNarrow: false }),
];

function Sizes({ facts: { sizes, wishes, drop } }: { facts: DropFacts }) {
  const rows = sizes.map(({ size, available }) => ({
    size,
    available,
    given: drop.announcement?.masks.find((announced) => announced.size === size)?.masks ?? null,
    first: wishes.find((wish) => wish.size === size)?.first ?? 0,
  }));
  return (
    <Table
      label="Sizes"
      columns={drop.state === 'open' ? columns : frozenColumns}
      rows={rows}
      keyOf={({ size }) => size}
    />
  );
}

export function PublishedSection({ facts }: { facts: DropFacts }) {
  const { list_hash, announcement, announcement_hash, state } = facts.drop;
  return (
    <Section
      title="Published"
      actions={
        <ActionButton
          label="Amend the numbers"
          isOffered={announcement !== null && state !== 'closed'}
          dialog={amendment(facts)}
        />
      }
    >
      {list_hash === null ? (
        <EmptyState title="Nothing is public yet">
          The hash of the list is published with the freeze, the rule with the announcement.
        </EmptyState>
      ) : (
        <>
          <KeyValues
            entries={{
              List: <CodeText label="the hash of the list" value={list_hash} />,
              Announcement: announcement_hash ? (
                <CodeText label="the hash of the announcement" value={announcement_hash} />
              ) : undefined,
              Announced: announcement ? formatMoment(announcement.announced_at) : undefined,
              Rule: announcement ? describeRule(announcement) : undefined,
              Randomness: announcement ? describeRandomness(facts) : undefined,
            }}
          />
          <p className="drop-note quiet">
            Anyone can recompute the draw on <a href={pagePaths.draw}>the page of the draw</a>.
          </p>
        </>
      )}
    </Section>
  );
}

const amendment = ({ sizes }: DropFacts) =>
  changeForm({
    title: 'Amend the announced numbers',
    confirmLabel: 'Amend in public',
    isDanger: true,
    undoNote: 'Public at once: this cannot be undone.',
    fields: {
      size: {
        label: 'Size',
        kind: 'select',
        value: sizes[0]?.size ?? '',
        options: sizes.map(({ size }) => ({ value: size, label: size })),
      },
      masks: { label: 'Masks given after all', kind: 'number', isRequired: true, isShort: true },
      public_reason: {
        label: 'Why, in words that everybody reads',
        isRequired: true,
        maxLength: 500,
      },
    },
    want: { kind: 'amend-draw', input: {} },
  });

function describeRandomness({ drop, round }: DropFacts): ReactNode {
  const randomness = drop.announcement?.randomness;
  if (randomness?.source === 'seed')
    return <CodeText label="the hash of the seed" value={randomness.commitment} />;
  if (randomness?.source !== 'quicknet' || round === null) return 'None: nothing is drawn.';
  return (
    <span>
      {`Round ${formatCount(randomness.round)} of quicknet, ` +
        `public ${formatMoment(round.public_at)}`}
    </span>
  );
}
