import { LRUCache } from 'lru-cache';
import type { BrandArt } from '../../../brand/brand-shape.ts';
import { readReferralCode } from '../../line/referrals/referral-code-rules.ts';

/** Drawing one takes milliseconds. */
const MAX_CACHED_GHOSTS = 500;

/** Draws the ghost of an invite as SVG, or the unlit mask for what cannot be a referral code. */
export function openGhostDrawer({ ghostSvg, maskSvg }: BrandArt): (code: string) => string {
  const unlit = maskSvg();
  const ghosts = new LRUCache<string, string>({
    max: MAX_CACHED_GHOSTS,
    memoMethod: (code) => ghostSvg(code),
  });
  return (code) => {
    const knownSpelling = readReferralCode(code);
    return knownSpelling === null ? unlit : ghosts.memo(knownSpelling);
  };
}
