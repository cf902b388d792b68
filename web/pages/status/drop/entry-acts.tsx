import type { EntryView } from '../../../../contract/drop/drop-views.ts';
import { Button, ButtonLink } from '../../../ui/controls/button.tsx';
import { useTask } from '../../../ui/use-task.ts';
import { actOnEntry, type MemberDrop } from './member-drop.ts';
import { FreshLink } from './offer-card.tsx';
import { useReload } from './pass-checkout.tsx';

/** The server makes a checkout within seconds, and sees the card as soon. */
const LOOK_EVERY_MS: Readonly<Record<string, number>> = {
  wanted: 2_000,
  created: 10_000,
  releasing: 10_000,
};

type EntryActsProps = {
  readonly memberId: string;
  readonly drop: MemberDrop;
  readonly cardEntry: EntryView;
  readonly onNews: (drop: MemberDrop) => void;
  readonly onReload: () => void;
};

/** Enters the draw by card, or leaves it. */
export function EntryActs({ memberId, drop, cardEntry, onNews, onReload }: EntryActsProps) {
  const { busy, message, perform } = useTask();
  const { state, may_enter: mayEnter } = cardEntry;
  useReload(LOOK_EVERY_MS[state ?? ''] ?? null, onReload);

  const act = (step: 'enter' | 'withdraw') =>
    perform(step, async () => void onNews(await actOnEntry(memberId, step)));

  const isIn = drop.place.state === 'frozen' && (state === 'created' || state === 'held');
  if (!mayEnter && !isIn) return null;
  if (!drop.canAct)
    return (
      <div className="stack offer-acts">
        <FreshLink
          memberId={memberId}
          problem=""
          use="enter or leave: this page alone only shows both, because members share their pages"
        />
      </div>
    );
  return (
    <div className="stack offer-acts">
      {mayEnter && (
        <Button isBusy={busy !== null} onClick={() => act('enter')}>
          Enter by card
        </Button>
      )}
      {drop.entryLink !== null && (
        <ButtonLink href={drop.entryLink} rel="noreferrer">
          Enter your card
        </ButtonLink>
      )}
      {isIn && (
        <Button variant="secondary" isBusy={busy !== null} onClick={() => act('withdraw')}>
          Leave the draw
        </Button>
      )}
      <p className="offer-message" role="status">
        {message}
      </p>
    </div>
  );
}
