import { ghostSvg } from '../../brand/art/ghost.ts';
import { maskSvg } from '../../brand/art/mask.ts';
import { readReferralCode } from '../referrals/referral-code-rules.ts';

const KEPT_GHOSTS = 500;

const unlit = maskSvg();
const drawn = new Map<string, string>();

/** The ghost of an invite as SVG, or the unlit mask for what cannot be a code. Drawing takes milliseconds, so some are kept. */
export function drawGhost(code: string): string {
  const key = readReferralCode(code);
  if (key === null) return unlit;
  const kept = drawn.get(key);
  if (kept !== undefined) return kept;
  const ghost = ghostSvg(key);
  const oldest = drawn.keys().next();
  if (drawn.size >= KEPT_GHOSTS && !oldest.done) drawn.delete(oldest.value);
  drawn.set(key, ghost);
  return ghost;
}
