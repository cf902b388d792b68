import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Link } from 'wouter';
import { OFFER_STATES } from '../../../contract/drop/states.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { dropQuery, type OfferFilter, offersQuery } from '../../api/drop/drop.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { OFFER_WORDS } from '../../parts/offer-pill.tsx';
import { errorFaceOf, QueryFace, StaleNotice } from '../../parts/query-face.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { type ListState, useListState } from '../../routing/use-list-state.ts';
import { useTitle } from '../../routing/use-title.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Banner } from '../../ui/data/banner.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { FilterBar } from '../../ui/lists/filter-bar.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { formatCount } from '../../ui/text/numbers.ts';
import { DropExport, ShopSection } from './hand-over.tsx';
import { offerColumns } from './offer-columns.tsx';
import { OfferCounts } from './offer-counts.tsx';
import { OfferSheet } from './offer-sheet.tsx';
import { describeQuiet } from './offer-words.ts';

/** Every offer of the drop, and what came of it. */
export function OffersScreen() {
  useTitle('Offers');
  const facts = useQuery(dropQuery);
  return (
    <>
      <PageHeader
        title="Offers"
        note={
          facts.data
            ? `Masks of drop ${facts.data.drop.number}, and their passes.`
            : 'Masks offered.'
        }
        actions={
          facts.data && (
            <>
              <TellOthers facts={facts.data} />
              {facts.data.drop.frozen_at !== null && <DropExport />}
            </>
          )
        }
      />
      <QueryFace query={facts} lines={6}>
        {(data) => (
          <>
            <QuietNotice facts={data} />
            <OfferCounts facts={data} />
          </>
        )}
      </QueryFace>
      <OfferList hasBegun={facts.data?.offering_at != null} />
      {facts.data && <ShopSection sizes={facts.data.sizes.map(({ size }) => size)} />}
    </>
  );
}

function QuietNotice({ facts }: { facts: DropFacts }) {
  const waits = facts.drop.state === 'offering' ? describeQuiet(facts) : null;
  return waits && <Banner>{waits}</Banner>;
}

/** One mail to everybody who was offered no mask; once for each drop. */
function TellOthers({ facts: { others, offering_at } }: { facts: DropFacts }) {
  const mayWrite = useMayWrite();
  const [isTelling, setTelling] = useState(false);
  if (offering_at === null) return null;
  if (others !== 'untold')
    return (
      <p className="quiet">
        {others === 'told' ? 'The others were told.' : 'The others are being told.'}
      </p>
    );
  if (!mayWrite) return null;
  return (
    <>
      <Button onClick={() => setTelling(true)}>Tell the others</Button>
      {isTelling && (
        <ChangeDialog
          title="Tell everybody else"
          confirmLabel="Tell them"
          undoNote="A mail cannot be called back, and nobody is told twice."
          want={{ kind: 'tell-others', input: {} }}
          onClose={() => setTelling(false)}
        />
      )}
    </>
  );
}

const NO_FILTER = { q: '', state: '' };
const STATE_OPTIONS = [
  { value: '', label: 'Any state' },
  ...OFFER_STATES.map((state) => ({ value: state, label: OFFER_WORDS[state] })),
];

function OfferList({ hasBegun }: { hasBegun: boolean }) {
  const list = useListState();
  const filter = readFilter(list);
  const query = useInfiniteQuery(offersQuery(filter));
  const search = useCallback((q: string) => list.set({ q }), [list.set]);
  const offers = query.data?.pages.flatMap((page) => page.offers);
  const opened = offers?.find(({ id }) => id === list.get('open'));
  const isFiltered = filter.state !== null || filter.text !== '';
  return (
    <Section title="All offers">
      <FilterBar
        search={
          <SearchField
            label="Find a member"
            placeholder="Address, member id or code"
            maxLength={200}
            value={list.get('q')}
            onSearch={search}
          />
        }
        controls={
          <Select
            label="State"
            isLabelHidden
            options={STATE_OPTIONS}
            value={filter.state ?? ''}
            onChange={(state) => list.set({ state })}
          />
        }
      />
      <StaleNotice query={query} />
      <Table
        label="Offers"
        columns={offerColumns}
        rows={offers}
        keyOf={({ id }) => id}
        nameOf={({ email }) => email ?? 'a member who has left'}
        hrefOf={({ id }) => list.hrefWith({ open: id })}
        openKey={list.get('open') || null}
        isStale={query.isFetching && !query.isFetchingNextPage && offers !== undefined}
        error={errorFaceOf(query)}
        empty={<NoOffers isFiltered={isFiltered} hasBegun={hasBegun} list={list} />}
      />
      {offers !== undefined && offers.length > 0 && (
        <div className="list-end">
          <p className="quiet" role="status">
            {formatCount(offers.length)} shown
          </p>
          {query.hasNextPage && (
            <Button onClick={() => query.fetchNextPage()} isBusy={query.isFetchingNextPage}>
              Show more
            </Button>
          )}
        </div>
      )}
      {opened && (
        <OfferSheet
          key={opened.id}
          offer={opened}
          onClose={() => list.set({ open: '' }, { isStep: true })}
        />
      )}
    </Section>
  );
}

function NoOffers({
  isFiltered,
  hasBegun,
  list,
}: {
  isFiltered: boolean;
  hasBegun: boolean;
  list: ListState;
}) {
  if (isFiltered)
    return (
      <EmptyFace
        title="No offer matches"
        action={<Button onClick={() => list.set(NO_FILTER)}>Show all offers</Button>}
      />
    );
  if (hasBegun)
    return <EmptyFace title="No offers yet">The first ones are made within a minute.</EmptyFace>;
  return (
    <EmptyFace
      title="No offers yet"
      action={
        <Link className="button button-secondary" href="/drop">
          Go to the drop
        </Link>
      }
    >
      Offers are made once the line is frozen and the draw is made.
    </EmptyFace>
  );
}

function readFilter(list: ListState): OfferFilter {
  const asked = list.get('state');
  const state = OFFER_STATES.find((one) => one === asked) ?? null;
  return { state, text: list.get('q').trim() };
}
