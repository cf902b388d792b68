/** The referral of the visit stays in the URL, so links carry it and nothing is stored. */
import { useSearch } from 'wouter/use-browser-location';
import { landingWithReferral, pagePaths } from '../../contract/paths.ts';

export function useReferralCode(served = ''): string | null {
  const search = useSearch({ ssrSearch: String(new URLSearchParams({ ref: served })) });
  return new URLSearchParams(search).get('ref')?.trim() || null;
}

export function landingPath(code: string | null): string {
  return code === null ? pagePaths.landing : landingWithReferral(code);
}
