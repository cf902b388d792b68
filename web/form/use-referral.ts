import { useEffect } from 'react';
import { useSearch } from 'wouter/use-browser-location';
import { toasts } from '../toasts.ts';
import { toastStore } from '../ui/toast/toast-store.ts';

/** SPEC 2: the code of `?ref=`, announced in a toast. null without one, and in the first render. */
export function useReferral(): string | null {
  const search = useSearch({ ssrSearch: '' });
  const referral = new URLSearchParams(search).get('ref')?.trim() || null;
  useEffect(() => {
    if (referral !== null) toastStore.show(toasts.referralDetected);
  }, [referral]);
  return referral;
}
