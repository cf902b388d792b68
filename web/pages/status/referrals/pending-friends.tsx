import { useRef, useState } from 'react';
import type { Member } from '../../../../contract/schemas.ts';
import { askSecondLook } from '../../../api/waitlist.ts';
import { toastForFailure } from '../../../toasts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { toastStore } from '../../../ui/toast/toast-store.ts';

type Friends = Pick<
  Member,
  'referral_count' | 'pending_referrals' | 'held_referrals' | 'second_look'
>;

/** Friends who joined and do not count yet. Once, the member may ask to check them again. */
export function PendingFriends({ member }: { member: Friends & Pick<Member, 'id'> }) {
  /** Unknown until the next refresh. */
  const [answer, setAnswer] = useState<Member['second_look']>();
  const [isBusy, setBusy] = useState(false);
  const text = useRef<HTMLParagraphElement>(null);
  const look = member.second_look ?? answer;

  async function ask(): Promise<void> {
    setBusy(true);
    try {
      const { second_look: told = 'answered' } = await askSecondLook(member.id);
      // The button is gone with the answer.
      text.current?.focus();
      setAnswer(told);
    } catch (error) {
      toastStore.show(toastForFailure(error));
    }
    setBusy(false);
  }

  const pending = describePending(member);
  return (
    pending && (
      <div className="pending-friends">
        <p ref={text} tabIndex={-1} className="quiet">
          {pending}
          {look === 'asked' && '. We are looking again.'}
        </p>
        {member.held_referrals && !look && (
          <Button variant="secondary" isBusy={isBusy} onClick={ask}>
            Ask us to look again
          </Button>
        )}
      </div>
    )
  );
}

/** Empty when all friends count. */
export function describePending({
  referral_count: count,
  pending_referrals: pending = 0,
  held_referrals: held = 0,
}: Friends): string {
  const joined = count + pending + held;
  return joined === count
    ? ''
    : `${joined === 1 ? '1 friend' : `${joined} friends`} joined` +
        (pending ? `, ${pending} still to confirm` : '') +
        (held ? `, ${held} being checked` : '');
}
