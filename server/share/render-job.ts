/** What the drawing thread can be asked for: plain data, as it goes from thread to thread. */
import { encode } from 'uqr';
import type { ImageFormat } from '../../contract/paths.ts';
import type { CardStyle, Tokens } from './cards/card-style.ts';
import { ghostImageSvg } from './cards/ghost-image.ts';
import { inviteCardSvg } from './cards/invite-card.ts';
import { memberImageSvg } from './cards/member-image.ts';
import { type QrModules, qrSvg } from './cards/qr-art.ts';

export type RenderJob =
  | { readonly kind: 'invite-card'; readonly code: string }
  /** null: the bare mask. */
  | { readonly kind: 'ghost'; readonly code: string | null }
  | {
      readonly kind: 'member-image';
      readonly format: ImageFormat;
      readonly code: string;
      readonly position: number;
      /** The member's invite link, in the QR code. */
      readonly link: string;
    };

/** The picture as SVG. Takes tens of milliseconds, so it belongs on the drawing thread. */
export function drawJob(job: RenderJob, style: CardStyle): string {
  if (job.kind === 'invite-card') return inviteCardSvg(job.code, style);
  if (job.kind === 'ghost') return ghostImageSvg(job.code, style);
  const { format, code, position, link } = job;
  return memberImageSvg({ format, code, position, modules: encodeLink(link) }, style);
}

/** A picture of the QR code alone: a millisecond. */
export function drawQr(link: string, tokens: Tokens): string {
  return qrSvg(encodeLink(link), tokens);
}

/** A quarter of the code may be unreadable: dots and masks fill less of it than squares would. */
function encodeLink(link: string): QrModules {
  return encode(link, { ecc: 'Q', border: 0 }).data;
}
