import { encode } from 'uqr';
import type { CardStyle, Tokens } from './brand-folder.ts';
import { inviteCardSvg } from './cards/invite-card.ts';
import { ghostImageSvg, type RewardImage, rewardImageSvg } from './cards/mail-images.ts';
import { type MemberImage, memberImageSvg } from './cards/member-image.ts';
import { type PassImage, passImageSvg } from './cards/pass-image.ts';
import { type QrModules, qrSvg } from './cards/qr-art.ts';

type SvgJob =
  | { readonly kind: 'page-ghost'; readonly code: string }
  | { readonly kind: 'qr'; readonly link: string };

export type ImageJob =
  | { readonly kind: 'invite-card'; readonly code: string }
  | { readonly kind: 'ghost'; readonly code: string | null }
  | ({ readonly kind: 'reward' } & RewardImage)
  | ({ readonly kind: 'member-image' } & MemberImage)
  | ({ readonly kind: 'pass-image' } & PassImage);

export type RenderJob = SvgJob | ImageJob;

export type Drawn<Job extends RenderJob> = Job extends SvgJob ? string : Buffer;

export function isSvgJob(job: RenderJob): job is SvgJob {
  return job.kind === 'page-ghost' || job.kind === 'qr';
}

export function drawJob(job: RenderJob, style: CardStyle): string {
  switch (job.kind) {
    case 'page-ghost':
      return style.ghostSvg(job.code);
    case 'qr':
      return drawQr(job.link, style.tokens);
    case 'invite-card':
      return inviteCardSvg(job.code, style);
    case 'ghost':
      return ghostImageSvg(job.code, style);
    case 'reward':
      return rewardImageSvg(job, style);
    case 'member-image':
      return memberImageSvg(job, encodeLink(job.link), style);
    case 'pass-image':
      return passImageSvg(job, style);
  }
}

export function drawQr(link: string, tokens: Tokens): string {
  return qrSvg(encodeLink(link), tokens);
}

/** Level Q survives a quarter of unreadable modules: dots fill less area than squares. */
function encodeLink(link: string): QrModules {
  return encode(link, { ecc: 'Q', border: 0 }).data;
}
