/** What the drawing thread can draw. Plain data, because it is sent to a thread. */
import { encode } from 'uqr';
import type { ImageFormat } from '../../../contract/paths.ts';
import { ghostImageSvg } from './cards/canvas.ts';
import type { CardStyle, Tokens } from './cards/card-style.ts';
import { inviteCardSvg } from './cards/invite-card.ts';
import { memberImageSvg } from './cards/member-image.ts';
import { type QrModules, qrSvg } from './cards/qr-art.ts';

/** Drawn as SVG text, in two milliseconds. */
type SvgJob =
  /** For pages, which give it its size. */
  | { readonly kind: 'page-ghost'; readonly code: string }
  /** The QR code of a link. */
  | { readonly kind: 'qr'; readonly link: string };

/** Drawn as JPEG files, in 100 to 200 ms. */
export type ImageJob =
  | { readonly kind: 'invite-card'; readonly code: string }
  /** Null for the unlit mask. */
  | { readonly kind: 'ghost'; readonly code: string | null }
  | {
      readonly kind: 'member-image';
      readonly format: ImageFormat;
      readonly code: string;
      readonly position: number;
      /** The invite link, in print and in the QR code. */
      readonly link: string;
    };

export type RenderJob = SvgJob | ImageJob;

/** SVG text, or the bytes of a JPEG. */
export type Drawn<Job extends RenderJob> = Job extends SvgJob ? string : Buffer;

export function isSvgJob(job: RenderJob): job is SvgJob {
  return job.kind === 'page-ghost' || job.kind === 'qr';
}

/** The picture as SVG. Takes milliseconds: call it on the drawing thread. */
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
    case 'member-image': {
      const { format, code, position, link } = job;
      return memberImageSvg({ format, code, position, link, modules: encodeLink(link) }, style);
    }
  }
}

/** The QR code alone, as SVG. */
export function drawQr(link: string, tokens: Tokens): string {
  return qrSvg(encodeLink(link), tokens);
}

/** Level Q survives a quarter of unreadable modules: dots fill less area than squares. */
function encodeLink(link: string): QrModules {
  return encode(link, { ecc: 'Q', border: 0 }).data;
}
