/** A member's page in the states of a drop. */
import type { ReactNode } from 'react';
import type { DropPlaceView } from '../../contract/drop/drop-views.ts';
import { DropSection } from '../pages/status/drop/drop-section.tsx';
import type { MemberDrop, ShownOffer } from '../pages/status/drop/member-drop.ts';

type Sample = {
  readonly name: string;
  readonly place?: Partial<DropPlaceView>;
  readonly offer?: Partial<ShownOffer>;
  readonly canAct?: boolean;
};

const PASS = {
  state: 'accepted',
  code: '7K3M-PQ9X-HT2F-W8RA',
  shop_link: 'https://shop.example.com/discount/7K3M-PQ9X-HT2F-W8RA',
} as const;

const samples: readonly Sample[] = [
  { name: 'frozen', place: { state: 'frozen', place: null, size: null } },
  { name: 'behind the frozen list', place: { state: 'frozen', position: null, place: null } },
  { name: 'chosen', place: { state: 'selected' } },
  { name: 'not chosen', place: { place: 104, size: null } },
  { name: 'offered', offer: {}, canAct: true },
  { name: 'offered, to look at', offer: {} },
  { name: 'pass', offer: PASS, canAct: true },
  { name: 'pass, used', offer: { ...PASS, state: 'redeemed' }, canAct: true },
  { name: 'pass, to look at', offer: { state: 'accepted' } },
  { name: 'declined', offer: { state: 'declined' } },
  { name: 'expired', offer: { state: 'expired' } },
  { name: 'pass cancelled', offer: { state: 'cancelled' } },
  { name: 'drop over', place: { state: 'closed', place: 104, size: null } },
];

/** `show` puts the part about the drop into the page of a member. */
export function dropPageStates(
  member: Parameters<typeof DropSection>[0]['member'],
  show: (section: ReactNode) => ReactNode,
) {
  return samples.map(({ name, ...sample }) => ({
    name: `Status, ${name}`,
    element: show(<DropSection member={member} drop={dropOf(sample)} />),
  }));
}

function dropOf({ place, offer, canAct = false }: Omit<Sample, 'name'>): MemberDrop {
  return {
    place: {
      drop: 1,
      state: 'offering',
      position: 12,
      place: 12,
      size: 'Medium',
      ...place,
    },
    offer: offer
      ? {
          drop: 1,
          state: 'open',
          size: 'Medium',
          offered_at: '2031-05-04T08:00:00.000Z',
          expires_at: '2031-05-04T20:00:00.000Z',
          free_sizes: ['Small', 'Large'],
          ...offer,
        }
      : null,
    canAct,
    linkProblem: '',
    now: Date.parse('2031-05-04T08:17:53.000Z'),
    receivedAt: performance.now(),
  };
}
