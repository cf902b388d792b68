import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { isPass, OFFER_FILTERS } from '../../../contract/drop/states.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import type { ListedOffer } from '../../../contract/operator/drop/listed-offers.ts';
import { useRows } from '../../api/queries.ts';
import { ActionButton } from '../../parts/changes.tsx';
import { changeForm } from '../../parts/forms.tsx';
import { QueryContent, QueryList, Screen } from '../../parts/screen.tsx';
import { labelsOf, OFFERS, StatePill } from '../../parts/state-pills.tsx';
import { type ListState, useListState } from '../../routing/location.ts';
import { Button } from '../../ui/buttons.tsx';
import { Address, Banner, CodeText, KeyValues, RelativeTime, Section } from '../../ui/facts.tsx';
import { SearchField, Select } from '../../ui/fields.tsx';
import { formatCount, formatMoment } from '../../ui/formats.ts';
import { FilterBar } from '../../ui/list-bars.tsx';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { type Column, codeColumn, countColumn, Table, timeColumn } from '../../ui/table.tsx';
import { DropExport, markSent, ParcelSection, ShopSection, swapPass } from './hand-over.tsx';
import { describeQuiet, filterOf, momentOf } from './offer-words.ts';
import {
  COUNTED,
  dropQuery,
  extendOffers,
  OfferCounts,
  OfferingNotice,
  pauseOffers,
  type SizeCounts,
} from './steer-offers.tsx';

const columns: readonly Column<ListedOffer>[] = [
  {
    header: 'Member',
    cell: ({ email }) => (email === null ? 'Has left the line' : <Address email={email} />),
  },
  { header: 'Size', isNarrow: true, cell: ({ size }) => size },
  {
    header: 'State',
    isNarrow: true,
    cell: (offer) => <StatePill states={OFFERS} state={filterOf(offer)} />,
  },
  timeColumn('Ends or ended', momentOf),
  countColumn('Draw order', ({ draw_order }) => draw_order, { isMinor: true }),
  codeColumn('Pass', ({ code }) => code),
];

const STATE_OPTIONS = { '': 'Any state', ...labelsOf(OFFERS) };

export function OffersScreen() {
  const query = useQuery(dropQuery);
  const facts = query.data;
  const sizes = facts?.sizes.map(({ size }) => size) ?? [];
  return (
    <Screen
      title="Offers"
      note={facts ? `Masks of drop ${facts.drop.number}, and their passes.` : 'Masks offered.'}
      actions={
        facts && (
          <>
            {facts.drop.state === 'offering' && (
              <>
                {facts.paused_at === null && <ActionButton dialog={pauseOffers} />}
                <ActionButton dialog={extendOffers()} />
              </>
            )}
            <TellOthers facts={facts} />
            {facts.drop.frozen_at !== null && <DropExport />}
          </>
        )
      }
    >
      <QueryContent query={query} lines={6}>
        {(data) => (
          <>
            <OfferingNotice />
            <QuietNotice facts={data} />
            <OfferCounts facts={data} />
            <div className="drop-sizes">
              <Table
                label="Offers per size"
                columns={sizeColumns}
                rows={data.sizes}
                keyOf={({ size }) => size}
              />
            </div>
          </>
        )}
      </QueryContent>
      <OfferList hasBegun={facts?.offering_at != null} sizes={sizes} />
      {facts && <ShopSection sizes={sizes} />}
      {facts && <ParcelSection />}
    </Screen>
  );
}

function QuietNotice({ facts }: { facts: DropFacts }) {
  const waits = facts.drop.state === 'offering' ? describeQuiet(facts) : null;
  return waits && <Banner>{waits}</Banner>;
}

function TellOthers({ facts: { others, offering_at } }: { facts: DropFacts }) {
  if (offering_at === null) return null;
  return (
    <>
      {others !== 'untold' && (
        <p className="quiet">
          {others === 'told' ? 'The others were told.' : 'The others are being told.'}
        </p>
      )}
      <ActionButton
        label="Tell the others"
        isOffered={others === 'untold'}
        dialog={changeForm({
          title: 'Tell everybody else',
          confirmLabel: 'Tell them',
          undoNote: 'A mail cannot be called back, and nobody is told twice.',
          want: { kind: 'tell-others', input: {} },
        })}
      />
    </>
  );
}

type OfferListProps = { readonly hasBegun: boolean; readonly sizes: readonly string[] };

function OfferList({ hasBegun, sizes }: OfferListProps) {
  const list = useListState();
  const state = OFFER_FILTERS.find((filter) => filter === list.get('state')) ?? null;
  const text = list.get('q').trim();
  const body = { ...(state !== null && { state }), ...(text !== '' && { text }) };
  const query = useRows('POST listOffers', { body });
  const opened = query.data?.find(({ id }) => id === list.get('open'));
  return (
    <Section title="All offers">
      <FilterBar>
        <SearchField
          label="Find a member"
          placeholder="Address, member id or code"
          {...list.field('q')}
        />
        <Select label="State" isLabelHidden options={STATE_OPTIONS} {...list.field('state')} />
      </FilterBar>
      <QueryList
        query={query}
        list={list}
        label="Offers"
        columns={columns}
        keyOf={({ id }) => id}
        {...describeNone(state !== null || text !== '', hasBegun, list)}
      />
      {opened && <OfferSheet key={opened.id} offer={opened} sizes={sizes} onClose={list.close} />}
    </Section>
  );
}

function describeNone(isFiltered: boolean, hasBegun: boolean, list: ListState) {
  if (isFiltered)
    return {
      emptyTitle: 'No offer matches',
      emptyAction: <Button onClick={() => list.set({ q: '', state: '' })}>Show all offers</Button>,
    };
  const emptyTitle = 'No offers yet';
  if (hasBegun) return { emptyTitle, empty: 'The first ones are made within a minute.' };
  return {
    emptyTitle,
    empty: 'Offers are made once the line is frozen and the draw is made.',
    emptyAction: (
      <Link className="button button-secondary" href="/drop">
        Go to the drop
      </Link>
    ),
  };
}

const sizeColumns: readonly Column<SizeCounts>[] = [
  { header: 'Size', cell: ({ size }) => size },
  ...COUNTED.map(([name, header, isMinor]) =>
    countColumn<SizeCounts>(header, (counts) => counts[name], { isNarrow: false, isMinor }),
  ),
];

type OfferSheetProps = {
  readonly offer: ListedOffer;
  readonly sizes: readonly string[];
  readonly onClose: () => void;
};

function OfferSheet({ offer, sizes, onClose }: OfferSheetProps) {
  const { code, state, email, member_id: id, expires_at: end, sent_at } = offer;
  const timeOf = (at: string | null) => at && formatMoment(at);
  // Offers in the states of the actions below have a code.
  const pass = code ?? '';
  return (
    <SideSheet title={email ?? 'A member who has left'} onClose={onClose}>
      <KeyValues
        entries={{
          State: <StatePill states={OFFERS} state={filterOf(offer)} />,
          'Write to': offer.kept_email,
          Size: offer.size,
          'Draw order': offer.draw_order === null ? null : formatCount(offer.draw_order),
          Wave: formatCount(offer.wave),
          Offered: formatMoment(offer.offered_at),
          ...(state === 'open'
            ? {
                Ends: (
                  <span>
                    <RelativeTime at={end} />{' '}
                    <span className="quiet">{`(${formatMoment(end)})`}</span>
                  </span>
                ),
              }
            : { Deadline: formatMoment(end) }),
          Mailed:
            timeOf(offer.mailed_at) ?? (state === 'open' && 'Not yet: its time has not begun'),
          Reminded: timeOf(offer.reminded_at),
          Settled: timeOf(offer.settled_at),
          Paid: timeOf(offer.paid_at),
          Order: offer.shop_order,
          'Handed over': timeOf(offer.handed_at),
          'Scanned by': offer.scanned_by,
          Sent: sent_at && `${formatMoment(sent_at)}, ${offer.carrier} ${offer.tracking}`,
          Pass: code && <CodeText label="the code of the pass" value={code} />,
        }}
      />
      <div className="actions">
        {email !== null && (
          <Link className="button button-secondary" href={`/members?open=${id}`}>
            Show the member
          </Link>
        )}
        <ActionButton
          isOffered={state === 'open' && offer.mailed_at !== null}
          dialog={extendOffers(offer.id)}
        />
        <ActionButton isOffered={state === 'accepted'} dialog={swapPass(sizes, pass)} />
        <ActionButton label="Mark as sent" isOffered={state === 'paid'} dialog={markSent(pass)} />
        <ActionButton variant="danger" isOffered={isPass(state)} dialog={cancel(pass)} />
        <ActionButton isOffered={state === 'cancelled'} dialog={reissue(pass)} />
      </div>
    </SideSheet>
  );
}

const cancel = (code: string) =>
  changeForm({
    title: 'Cancel the pass',
    cancelLabel: 'Keep the pass',
    isDanger: true,
    fields: {
      note: {
        label: 'What the member is told',
        kind: 'area',
        hint: 'Why, in plain words: it is mailed.',
        isRequired: true,
        isFirst: true,
      },
    },
    want: { kind: 'cancel-pass', input: { code } },
  });

const reissue = (code: string) =>
  changeForm({
    title: 'Issue another pass',
    confirmLabel: 'Issue',
    want: { kind: 'reissue-pass', input: { code } },
  });
