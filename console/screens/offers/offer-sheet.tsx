import { useState } from 'react';
import { Link } from 'wouter';
import type { ListedOffer } from '../../../contract/operator/drop/listed-offers.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { OfferPill } from '../../parts/offer-pill.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CodeText } from '../../ui/data/code-text.tsx';
import { KeyValues } from '../../ui/data/key-values.tsx';
import { SideSheet } from '../../ui/layers/side-sheet.tsx';
import { formatCount } from '../../ui/text/numbers.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';
import { formatMoment } from '../../ui/text/times.ts';

const FOR_GOOD = 'This cannot be undone.';

/** One offer with all its times, and what an owner can do about its pass. */
export function OfferSheet({ offer, onClose }: { offer: ListedOffer; onClose: () => void }) {
  const mayWrite = useMayWrite();
  const [action, setAction] = useState<'cancel' | 'reissue' | null>(null);
  const { code, state, email, member_id: id } = offer;
  const isOpen = state === 'open';
  return (
    <SideSheet title={email ?? 'A member who has left'} onClose={onClose}>
      <KeyValues
        entries={[
          ['State', <OfferPill key="state" state={state} />],
          ['Size', offer.size],
          ['Draw order', offer.draw_order === null ? null : formatCount(offer.draw_order)],
          ['Wave', formatCount(offer.wave)],
          ['Offered', formatMoment(offer.offered_at)],
          [isOpen ? 'Ends' : 'Deadline', <Deadline key="end" offer={offer} />],
          ['Reminded', offer.reminded_at && formatMoment(offer.reminded_at)],
          ['Settled', offer.settled_at && formatMoment(offer.settled_at)],
          ['Redeemed', offer.redeemed_at && formatMoment(offer.redeemed_at)],
          ['Order', offer.shop_order],
          ['Pass', code && <CodeText key="pass" label="the code of the pass" value={code} />],
        ]}
      />
      <div className="sheet-actions">
        {email !== null && (
          <Link className="button button-secondary" href={`/members?open=${id}`}>
            Show the member
          </Link>
        )}
        {mayWrite && (state === 'accepted' || state === 'redeemed') && (
          <Button variant="danger" onClick={() => setAction('cancel')}>
            Cancel the pass
          </Button>
        )}
        {mayWrite && state === 'cancelled' && (
          <Button onClick={() => setAction('reissue')}>Issue another pass</Button>
        )}
      </div>
      {action === 'cancel' && code !== null && (
        <ChangeDialog
          title="Cancel the pass"
          confirmLabel="Cancel the pass"
          isDanger
          undoNote={FOR_GOOD}
          want={{ kind: 'cancel-pass', input: { code } }}
          onClose={() => setAction(null)}
        />
      )}
      {action === 'reissue' && code !== null && (
        <ChangeDialog
          title="Issue another pass"
          confirmLabel="Issue"
          undoNote={FOR_GOOD}
          want={{ kind: 'reissue-pass', input: { code } }}
          onClose={() => setAction(null)}
        />
      )}
    </SideSheet>
  );
}

function Deadline({ offer: { state, expires_at: at } }: { offer: ListedOffer }) {
  if (state !== 'open') return formatMoment(at);
  return (
    <span>
      <RelativeTime at={at} /> <span className="quiet">({formatMoment(at)})</span>
    </span>
  );
}
