import { Link } from 'wouter';
import type { ListedOffer } from '../../../contract/operator/drop/listed-offers.ts';
import { ChangeButton } from '../../parts/changes.tsx';
import { OFFERS, StatePill } from '../../parts/state-pills.tsx';
import { CodeText, KeyValues, RelativeTime } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { formatMoment } from '../../ui/times.ts';

const FOR_GOOD = 'This cannot be undone.';

export function OfferSheet({ offer, onClose }: { offer: ListedOffer; onClose: () => void }) {
  const { code, state, email, member_id: id, expires_at: end } = offer;
  const timeOf = (at: string | null) => at && formatMoment(at);
  return (
    <SideSheet title={email ?? 'A member who has left'} onClose={onClose}>
      <KeyValues
        entries={{
          State: <StatePill states={OFFERS} state={state} />,
          Size: offer.size,
          'Draw order': offer.draw_order === null ? null : formatCount(offer.draw_order),
          Wave: formatCount(offer.wave),
          Offered: formatMoment(offer.offered_at),
          ...(state === 'open'
            ? {
                Ends: (
                  <span>
                    <RelativeTime at={end} /> <span className="quiet">({formatMoment(end)})</span>
                  </span>
                ),
              }
            : { Deadline: formatMoment(end) }),
          Reminded: timeOf(offer.reminded_at),
          Settled: timeOf(offer.settled_at),
          Redeemed: timeOf(offer.redeemed_at),
          Order: offer.shop_order,
          Pass: code && <CodeText label="the code of the pass" value={code} />,
        }}
      />
      <div className="actions">
        {email !== null && (
          <Link className="button button-secondary" href={`/members?open=${id}`}>
            Show the member
          </Link>
        )}
        {code !== null && (
          <>
            <ChangeButton
              label="Cancel the pass"
              variant="danger"
              isOffered={state === 'accepted' || state === 'redeemed'}
              change={{
                title: 'Cancel the pass',
                confirmLabel: 'Cancel the pass',
                isDanger: true,
                undoNote: FOR_GOOD,
                want: { kind: 'cancel-pass', input: { code } },
              }}
            />
            <ChangeButton
              label="Issue another pass"
              isOffered={state === 'cancelled'}
              change={{
                title: 'Issue another pass',
                confirmLabel: 'Issue',
                undoNote: FOR_GOOD,
                want: { kind: 'reissue-pass', input: { code } },
              }}
            />
          </>
        )}
      </div>
    </SideSheet>
  );
}
