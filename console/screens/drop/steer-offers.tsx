import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { OFFER_STATES, type OfferState } from '../../../contract/drop/states.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { read } from '../../api/queries.ts';
import { ActionButton } from '../../parts/changes.tsx';
import { changeForm } from '../../parts/forms.tsx';
import { OFFERS } from '../../parts/state-pills.tsx';
import { Banner, Section, Stat, StatRow } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/formats.ts';
import { HOURS_FIELD } from './draw-rules.ts';
import { describeWait } from './offer-words.ts';

export const REFRESH_MS = 15_000;

export const dropQuery = read('GET drop', { refetchInterval: REFRESH_MS });

export function OfferingNotice() {
  const { data: facts } = useQuery(dropQuery);
  const words = facts && describeWait(facts);
  if (!facts || !words) return null;
  if (facts.waits_for === null) return <Banner>{words}</Banner>;
  return (
    <div className="offering-notice">
      <Banner
        tone="ember"
        action={facts.paused_at !== null && <ActionButton dialog={resumeOffers} />}
      >
        {words}
      </Banner>
    </div>
  );
}

export const pauseOffers = changeForm({
  title: 'Pause offering',
  confirmLabel: 'Pause',
  want: { kind: 'pause-offers', input: {} },
});

const resumeOffers = changeForm({
  title: 'Resume offering',
  confirmLabel: 'Resume',
  want: { kind: 'resume-offers', input: {} },
  undoNote: 'You can pause again at any time.',
});

export const extendOffers = (offerId?: string) =>
  changeForm({
    title: offerId === undefined ? 'Extend all open offers' : 'Extend this offer',
    confirmLabel: 'Extend',
    fields: { minutes: { ...HOURS_FIELD, label: 'Hours later' } },
    want: { kind: 'extend-offers', input: { ...(offerId !== undefined && { offer_id: offerId }) } },
  });

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
