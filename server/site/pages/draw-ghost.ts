/** Looks up and draws referral codes for pages, with a limit on the wait. */
import type { BrandArt } from '../../../brand/brand-shape.ts';
import { readReferralCode } from '../../../contract/referral-code-rules.ts';
import { toProblem } from '../../http/errors.ts';
import type { VerifyCode } from '../../visitors/verify-code.ts';
import type { ShareImages } from '../share/share-images.ts';

/** Pictures are SVG; a ghost that is not ready in time is the unlit mask. */
export type GhostDrawer = {
  drawMember(code: string, ip: string): Promise<string>;
  /** Counts as a guess. A code of nobody, or one guess too many, gives the unlit mask. */
  drawInvite(code: string, ip: string): Promise<string>;
  /** Counts as a guess. Returns false when the code cannot be verified now. */
  isMembers(code: string, ip: string): Promise<boolean>;
};

/** Longest time that a page waits for its ghost. */
const MAX_WAIT_MS = 1_000;

type GhostOptions = {
  readonly maskSvg: BrandArt['maskSvg'];
  readonly images: Pick<ShareImages, 'draw'>;
  readonly verifyCode: VerifyCode;
};

export function openGhostDrawer({ maskSvg, images, verifyCode }: GhostOptions): GhostDrawer {
  let unlit: string | undefined;
  /** Drawn when a page first needs it, not at each start. */
  const drawUnlit = () => (unlit ??= maskSvg());

  const draw = (code: string, ip: string) => images.draw({ kind: 'page-ghost', code }, ip);

  async function drawIfMembers(code: string, ip: string): Promise<string> {
    const { valid } = await verifyCode(code, ip);
    return valid ? await draw(code, ip) : drawUnlit();
  }

  async function inTime<T>(wanted: Promise<T>, instead: () => T): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<T>((resolve) => {
      timer = setTimeout(() => resolve(instead()), MAX_WAIT_MS);
    });
    try {
      return await Promise.race([wanted, late]);
    } catch (error) {
      if (toProblem(error) === null) throw error;
      return instead();
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    drawMember: (code, ip) => inTime(draw(code, ip), drawUnlit),
    async drawInvite(text, ip) {
      const code = readReferralCode(text);
      return code === null ? drawUnlit() : await inTime(drawIfMembers(code, ip), drawUnlit);
    },
    async isMembers(text, ip) {
      const code = readReferralCode(text);
      if (code === null) return false;
      return await inTime(
        verifyCode(code, ip).then(({ valid }) => valid),
        () => false,
      );
    },
  };
}
