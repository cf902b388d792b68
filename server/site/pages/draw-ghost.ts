/** What pages show of a referral code: looked up and drawn with a short limit on the wait. */
import type { BrandArt } from '../../../brand/brand-shape.ts';
import { readReferralCode } from '../../../contract/referral-code-rules.ts';
import { toProblem } from '../../http/errors.ts';
import type { VerifyCode } from '../../visitors/verify-code.ts';
import type { ShareImages } from '../share/share-images.ts';

/** All are SVG, and the unlit mask where the ghost cannot be drawn in time. */
export type GhostDrawer = {
  /** The ghost of a member's code, for the visitor at `ip`. */
  drawMember(code: string, ip: string): Promise<string>;
  /**
   * The ghost of a code from a URL; the unlit mask unless it is a member's. Counts as a guess, but
   * does not fail when there were too many.
   */
  drawInvite(code: string, ip: string): Promise<string>;
  /** Whether a code from a URL is a member's. Counts as a guess; false when it cannot be told. */
  isMembers(code: string, ip: string): Promise<boolean>;
};

/** A page is sent after this time at the latest. */
const MAX_WAIT_MS = 1_000;

type GhostOptions = {
  readonly maskSvg: BrandArt['maskSvg'];
  readonly images: Pick<ShareImages, 'draw'>;
  readonly verifyCode: VerifyCode;
};

export function openGhostDrawer({ maskSvg, images, verifyCode }: GhostOptions): GhostDrawer {
  const unlit = maskSvg();

  const draw = (code: string, ip: string) => images.draw({ kind: 'page-ghost', code }, ip);

  async function drawIfMembers(code: string, ip: string): Promise<string> {
    const { valid } = await verifyCode(code, ip);
    return valid ? await draw(code, ip) : unlit;
  }

  async function inTime<T>(wanted: Promise<T>, instead: T): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<T>((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT_MS, instead);
    });
    try {
      return await Promise.race([wanted, late]);
    } catch (error) {
      if (toProblem(error) === null) throw error;
      return instead;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    drawMember: (code, ip) => inTime(draw(code, ip), unlit),
    async drawInvite(text, ip) {
      const code = readReferralCode(text);
      return code === null ? unlit : await inTime(drawIfMembers(code, ip), unlit);
    },
    async isMembers(text, ip) {
      const code = readReferralCode(text);
      if (code === null) return false;
      return await inTime(
        verifyCode(code, ip).then(({ valid }) => valid),
        false,
      );
    },
  };
}
