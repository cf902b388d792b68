import { useEffect } from 'react';
import { useSearch } from 'wouter/use-browser-location';
import { toasts } from '../toasts.ts';
import { toastStore } from '../ui/toast/toast-store.ts';

/** SPEC 2: the code of `?ref=`, told once in a toast. null in the first render, as in the served page, and without a code. */
export function useReferral(): string | null {
  const search = useSearch({ ssrSearch: '' });
  const referral = new URLSearchParams(search).get('ref')?.trim() || null;
  useEffect(() => {
    if (referral !== null) toastStore.show(toasts.referralDetected);
  }, [referral]);
  return referral;
}
