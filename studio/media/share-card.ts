import { ghostSvg } from '../../brand/art/ghost.ts';
import { brand } from '../../brand/brand.ts';
import type { OutputFile } from './encode.ts';
import { fitText } from './fit-text.ts';
import type { Stills } from './stills.ts';

/** The letter O is in no valid code, so no member has this face. */
const FACE = 'GHOST00000';

/** The share card of links to the site, 1200 x 630. Some apps drop cards over 100 kB. */
export async function makeShareCard(stills: Stills): Promise<OutputFile> {
  const sizes = brand.sizes.map((size) => size.name).join(' / ');
  const bytes = await stills.render({
    markup: `<div class="face">${ghostSvg(FACE)}</div>
<p class="name">${brand.name}</p>
<p class="headline">${brand.copy.headline.join('<br>')}</p>
<p class="scarcity">Only ${brand.maskCount} masks</p>
<p class="sizes">${sizes} / No restocks</p>`,
    css: CARD_CSS,
    width: 1200,
    height: 630,
    format: { type: 'jpeg', quality: 74 },
  });
  return { name: 'og.jpg', bytes };
}

const CARD_CSS = `
body { position: relative; width: 1200px; height: 630px; overflow: hidden; color: var(--bone);
  --behind-face: color-mix(in srgb, var(--void), var(--deep) 80%); text-transform: uppercase;
  background: radial-gradient(circle at 79% 48%, var(--behind-face) 0, var(--void) 46%); }
.face { position: absolute; left: 752px; top: 26px; width: 394px; }
.face svg { display: block; width: 100%; }
.ghost-bare { stroke: color-mix(in srgb, var(--ghost-bare), var(--ghost-paint) 22%); }
.ghost-paint { stroke: var(--ghost-paint); }
p { position: absolute; left: 64px; font-family: var(--font-display);
  letter-spacing: var(--tracking-display); }
.name { top: 62px; font-size: 30px; letter-spacing: 0; }
.headline { top: 178px; font-size: ${fitText(brand.copy.headline, { width: 688, max: 114 })}px;
  line-height: var(--leading-display); }
.scarcity { top: 470px; font-size: 42px; color: var(--afterglow); }
.sizes { top: 544px; font-family: var(--font-mono); font-size: 20px;
  letter-spacing: var(--tracking-label); color: var(--fog); }
`;
