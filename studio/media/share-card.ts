import type { CardStyle } from '../../server/site/share/cards/card-style.ts';
import { siteCardSvg } from '../../server/site/share/cards/invite-card.ts';
import { openJpegEncoder } from '../../server/site/share/encode-jpeg.ts';
import type { OutputFile } from './encode.ts';

/** Some apps drop larger cards. */
const MAX_BYTES = 99_000;

export async function makeShareCard(style: CardStyle, brandDir: string): Promise<OutputFile> {
  const bytes = await openJpegEncoder(brandDir)(siteCardSvg(style), MAX_BYTES);
  return { name: 'og.jpg', bytes: Buffer.from(bytes) };
}
