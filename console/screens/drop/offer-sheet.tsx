import { Link } from 'wouter';
import { isPass } from '../../../contract/drop/states.ts';
import type { ListedOffer } from '../../../contract/operator/drop/listed-offers.ts';
import { changeForm } from '../../parts/change-form.tsx';
import { ActionButton } from '../../parts/changes.tsx';
import { OFFERS, StatePill } from '../../parts/state-pills.tsx';
import { CodeText, KeyValues, RelativeTime } from '../../ui/facts.tsx';
import { formatCount, formatMoment } from '../../ui/formats.ts';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { markSent, swap } from './hand-over.tsx';
import { filterOf } from './offer-words.ts';
import { ExtendOffers } from './steer-offers.tsx';

type OfferSheetProps = {
  readonly offer: ListedOffer;
  readonly sizes: readonly string[];
  readonly onClose: () => void;
};

export function OfferSheet({ offer, sizes, onClose }: OfferSheetProps) {
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
        {state === 'open' && offer.mailed_at !== null && <ExtendOffers offerId={offer.id} />}
        <ActionButton
          label="Swap the pass"
          isOffered={state === 'accepted'}
          dialog={swap(sizes, pass)}
        />
        <ActionButton label="Mark as sent" isOffered={state === 'paid'} dialog={markSent(pass)} />
        <ActionButton
          label="Cancel the pass"
          variant="danger"
          isOffered={isPass(state)}
          dialog={cancel(pass)}
        />
        <ActionButton
          label="Issue another pass"
          isOffered={state === 'cancelled'}
          dialog={reissue(pass)}
        />
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
        isFirst: true,
      },
    },
    want: ({ note }) =>
      note === ''
        ? 'Write why: the member is mailed this.'
        : { kind: 'cancel-pass', input: { code, note } },
  });

const reissue = (code: string) =>
  changeForm({
    title: 'Issue another pass',
    confirmLabel: 'Issue',
    want: { kind: 'reissue-pass', input: { code } },
  });
