import { startTransition, useState } from 'react';
import { verifyReferral } from '../../api/waitlist.ts';
import { toasts } from '../../toasts.ts';
import { type ToastMessage, toastStore } from '../../ui/toast/toast-store.ts';
import { useAsyncEffect } from '../../use-async-effect.ts';

export type Invite =
  | { readonly state: 'verifying' }
  | { readonly state: 'valid'; readonly inviterEmail: string }
  /** Unverified: no answer, so the code may be valid. `reason` is the sentence for the visitor. */
  | { readonly state: 'invalid' | 'unverified'; readonly reason: string };

/** Verifies the referral code of the path, again with `retry`. */
export function useInvite(code: string): { invite: Invite; retry: () => void } {
  const [invite, setInvite] = useState<Invite>({ state: 'verifying' });
  const [attempt, setAttempt] = useState(1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt verifies again.
  useAsyncEffect(
    async (signal) => {
      function refuse(state: 'invalid' | 'unverified', toast: ToastMessage): void {
        toastStore.show(toast);
        setInvite({ state, reason: toast.description ?? '' });
      }
      try {
        const { valid, referrer_email } = await verifyReferral(code, { signal });
        if (valid)
          startTransition(() => setInvite({ state: 'valid', inviterEmail: referrer_email ?? '' }));
        else refuse('invalid', toasts.invalidInvite);
      } catch {
        if (!signal.aborted) refuse('unverified', toasts.verificationFailed);
      }
    },
    [code, attempt],
  );

  function retry(): void {
    setInvite({ state: 'verifying' });
    setAttempt(attempt + 1);
  }

  return { invite, retry };
}
