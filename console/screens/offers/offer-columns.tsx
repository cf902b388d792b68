import type { ListedOffer } from '../../../contract/operator/drop/listed-offers.ts';
import { OfferPill } from '../../parts/offer-pill.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { Address } from '../../ui/text/address.tsx';
import { formatCount } from '../../ui/text/numbers.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';
import { momentOf } from './offer-words.ts';

export const offerColumns: readonly Column<ListedOffer>[] = [
  {
    key: 'member',
    header: 'Member',
    cell: ({ email }) => (email === null ? 'Has left the line' : <Address email={email} />),
  },
  { key: 'size', header: 'Size', isNarrow: true, cell: ({ size }) => size },
  {
    key: 'state',
    header: 'State',
    isNarrow: true,
    cell: ({ state }) => <OfferPill state={state} />,
  },
  {
    key: 'moment',
    header: 'Ends or ended',
    isNarrow: true,
    cell: (offer) => <RelativeTime at={momentOf(offer)} />,
  },
  {
    key: 'order',
    header: 'Draw order',
    align: 'end',
    isNarrow: true,
    isMinor: true,
    cell: ({ draw_order }) => (draw_order === null ? '—' : formatCount(draw_order)),
  },
  {
    key: 'code',
    header: 'Pass',
    isNarrow: true,
    isMinor: true,
    cell: ({ code }) => (code === null ? '—' : <code>{code}</code>),
  },
];
