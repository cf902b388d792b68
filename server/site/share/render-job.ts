/** What the drawing thread can draw. Plain data, because it is sent to a thread. */
import { encode } from 'uqr';
import type { ImageFormat } from '../../../contract/paths.ts';
import type { CardStyle, Tokens } from './cards/card-style.ts';
import { ghostImageSvg } from './cards/ghost-image.ts';
import { inviteCardSvg } from './cards/invite-card.ts';
import { memberImageSvg } from './cards/member-image.ts';
import { type QrModules, qrSvg } from './cards/qr-art.ts';

export type RenderJob =
  | { readonly kind: 'invite-card'; readonly code: string }
  /** Null for the unlit mask. */
  | { readonly kind: 'ghost'; readonly code: string | null }
  | {
      readonly kind: 'member-image';
      readonly format: ImageFormat;
      readonly code: string;
      readonly position: number;
      /** The invite link that the QR code holds. */
      readonly link: string;
    };

/** The image as SVG. Takes tens of milliseconds: call it on the drawing thread. */
export function drawJob(job: RenderJob, style: CardStyle): string {
  if (job.kind === 'invite-card') return inviteCardSvg(job.code, style);
  if (job.kind === 'ghost') return ghostImageSvg(job.code, style);
  const { format, code, position, link } = job;
  return memberImageSvg({ format, code, position, modules: encodeLink(link) }, style);
}

/** The QR code alone, as SVG. Takes a millisecond. */
export function drawQr(link: string, tokens: Tokens): string {
  return qrSvg(encodeLink(link), tokens);
}

/** Level Q survives a quarter of unreadable modules: dots fill less area than squares. */
function encodeLink(link: string): QrModules {
  return encode(link, { ecc: 'Q', border: 0 }).data;
}
