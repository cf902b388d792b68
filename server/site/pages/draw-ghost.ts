import type { BrandArt } from '../../../brand/brand-shape.ts';
import { findReferralCode } from '../../../contract/referral-code-rules.ts';
import { toProblem } from '../../http/errors.ts';
import type { VerifyCode } from '../../visitors/verify-code.ts';
import type { ShareImages } from '../share/share-images.ts';

export type GhostDrawer = ReturnType<typeof openGhostDrawer>;

const MAX_WAIT_MS = 1_000;

type GhostOptions = {
  readonly maskSvg: BrandArt['maskSvg'];
  readonly images: Pick<ShareImages, 'draw'>;
  readonly verifyCode: VerifyCode;
};

export function openGhostDrawer({ maskSvg, images, verifyCode }: GhostOptions) {
  let unlit: string | undefined;
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
    drawMember: (code: string, ip: string) => inTime(draw(code, ip), drawUnlit),
    async drawInvite(text: string, ip: string): Promise<string> {
      const code = findReferralCode(text);
      return code === null ? drawUnlit() : await inTime(drawIfMembers(code, ip), drawUnlit);
    },
    /** Null for no text, and without an answer in time. */
    async isMembers(text: string, ip: string): Promise<boolean | null> {
      const code = findReferralCode(text);
      if (code === null) return text === '' ? null : false;
      const isValid = async () => (await verifyCode(code, ip)).valid;
      return await inTime<boolean | null>(isValid(), () => null);
    },
  };
}
