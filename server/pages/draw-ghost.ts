import type { BrandArt } from '../../brand/brand-shape.ts';
import { readReferralCode } from '../referrals/referral-code-rules.ts';

const KEPT_GHOSTS = 500;

/** Draws the ghost of an invite as SVG, or the unlit mask for what cannot be a code. Drawing takes milliseconds, so some are kept. */
export function openGhostDrawer({ ghostSvg, maskSvg }: BrandArt): (code: string) => string {
  const unlit = maskSvg();
  const drawn = new Map<string, string>();

  return (code) => {
    const key = readReferralCode(code);
    if (key === null) return unlit;
    const kept = drawn.get(key);
    if (kept !== undefined) return kept;
    const ghost = ghostSvg(key);
    const oldest = drawn.keys().next();
    if (drawn.size >= KEPT_GHOSTS && !oldest.done) drawn.delete(oldest.value);
    drawn.set(key, ghost);
    return ghost;
  };
}
