import { startTransition, useState } from 'react';
import { verifyReferral } from '../../api/waitlist.ts';
import { toasts } from '../../toasts.ts';
import { type ToastMessage, toastStore } from '../../ui/toast/toast-store.ts';
import { useAsyncEffect } from '../../use-async-effect.ts';

export type Invite =
  | { readonly state: 'verifying' }
  | { readonly state: 'valid'; readonly inviterEmail: string }
  /** `reason` is the sentence for the visitor. */
  | { readonly state: 'invalid'; readonly reason: string };

/** Verifies the referral code of the path. */
export function useInvite(code: string): Invite {
  const [invite, setInvite] = useState<Invite>({ state: 'verifying' });

  useAsyncEffect(
    async (signal) => {
      function refuse(toast: ToastMessage): void {
        toastStore.show(toast);
        setInvite({ state: 'invalid', reason: toast.description ?? '' });
      }
      try {
        const { valid, referrer_email } = await verifyReferral(code, { signal });
        if (valid)
          startTransition(() => setInvite({ state: 'valid', inviterEmail: referrer_email ?? '' }));
        else refuse(toasts.invalidInvite);
      } catch {
        if (!signal.aborted) refuse(toasts.verificationFailed);
      }
    },
    [code],
  );

  return invite;
}
