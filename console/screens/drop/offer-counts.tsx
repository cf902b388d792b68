import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { OFFER_STATES, type OfferState } from '../../../contract/drop/states.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { OFFERS } from '../../parts/state-pills.tsx';
import { Section, Stat, StatRow } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/formats.ts';
import { dropQuery, OfferingNotice } from './steer-offers.tsx';

export type SizeCounts = DropFacts['sizes'][number];
type Counted = Exclude<keyof SizeCounts, 'size'>;

const ofState = (state: OfferState) => {
  const [header, tone] = OFFERS[state];
  return [state, header, tone === 'plain' || tone === 'ember'] as const;
};
export const COUNTED: readonly (readonly [Counted, header: string, isOver: boolean])[] = [
  ...OFFER_STATES.map(ofState),
  ['available', 'Available', false],
];

export function OfferCounts({ facts: { sizes } }: { facts: DropFacts }) {
  const sum = (name: Counted) => formatCount(sizes.reduce((total, size) => total + size[name], 0));
  return (
    <StatRow label="All sizes">
      {COUNTED.map(([name, header]) => (
        <Stat key={name} label={header} value={sum(name)} isCharged={name === 'accepted'} />
      ))}
    </StatRow>
  );
}

/** What an owner asks first while masks are offered. */
export function DropNow() {
  const { data: facts } = useQuery(dropQuery);
  return (
    <>
      <OfferingNotice />
      {facts?.drop.state === 'offering' && (
        <Section title="Offers" actions={<Link href="/offers">Show all</Link>}>
          <OfferCounts facts={facts} />
        </Section>
      )}
    </>
  );
}
