import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { useReferralCode } from '../browser/use-referral-code.ts';
import type { PrerenderedState } from '../prerendered-state.ts';
import { toasts } from '../toasts.ts';
import { toastStore } from '../ui/toast/toast-store.ts';
import { useAsyncEffect } from '../use-async-effect.ts';

/**
 * The code that the visitor joins with, announced in a toast. `isActive`: the page promises a
 * better position, unless the code is known to be invalid.
 */
export function useReferral({ referral, isReferralValid }: PrerenderedState): {
  readonly code: string | null;
  readonly isActive: boolean;
} {
  const code = useReferralCode(referral);
  const [isActive, setActive] = useState(isReferralValid);

  useAsyncEffect(
    async (signal) => {
      if (code === null) return;
      const isPromised = isReferralValid || !(await isRefused(code, signal));
      if (signal.aborted || !isPromised) return;
      setActive(true);
      toastStore.show(toasts.referralDetected);
    },
    [code, isReferralValid],
  );

  return { code, isActive };
}

/** Without an answer the code may be valid. */
async function isRefused(code: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { verifyReferral } = await import('../api/waitlist.ts');
    return !(await verifyReferral(code, { signal })).valid;
  } catch (error) {
    return error instanceof ApiError && error.status !== null && error.status < 500;
  }
}
