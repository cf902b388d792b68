import { useEffect, useState } from 'react';
import { verifyReferral } from '../../api/waitlist.ts';
import { toasts } from '../../toasts.ts';
import { toastStore } from '../../ui/toast/toast-store.ts';

export type Invite =
  | { readonly state: 'verifying' }
  | { readonly state: 'valid'; readonly inviterEmail: string }
  /** `reason` is the sentence for the visitor. */
  | { readonly state: 'invalid'; readonly reason: string };

/** Asks once whether the code of the address is somebody's. */
export function useInvite(code: string): Invite {
  const [invite, setInvite] = useState<Invite>({ state: 'verifying' });

  useEffect(() => {
    const leaving = new AbortController();
    function turnDown(toast: typeof toasts.invalidInvite | typeof toasts.verificationFailed): void {
      toastStore.show(toast);
      setInvite({ state: 'invalid', reason: toast.description ?? '' });
    }
    verifyReferral(code, { signal: leaving.signal }).then(
      ({ valid, referrer_email }) => {
        if (valid) setInvite({ state: 'valid', inviterEmail: referrer_email ?? '' });
        else turnDown(toasts.invalidInvite);
      },
      () => {
        if (!leaving.signal.aborted) turnDown(toasts.verificationFailed);
      },
    );
    return () => leaving.abort();
  }, [code]);

  return invite;
}
