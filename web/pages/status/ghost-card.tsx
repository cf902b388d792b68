import { ghostSvg } from '../../../brand/art/ghost.ts';
import { brand } from '../../../brand/brand.ts';
import { DotArt } from '../../ui/dot-art.tsx';

/** The member's face, drawn from their code. */
export function GhostCard({ code }: { code: string }) {
  return (
    <section className="card ghost-card" aria-labelledby="your-ghost">
      <div className="ghost-card-face">
        <DotArt id="own-ghost" draw={() => drawOnce(code)} />
      </div>
      <div className="ghost-card-words">
        <h2 className="label" id="your-ghost">
          {brand.copy.faceTitle}
        </h2>
        <p className="ghost-card-code">{code}</p>
        <p className="quiet">{brand.copy.faceNote}</p>
      </div>
    </section>
  );
}

let drawn = { code: '', svg: '' };

/** The card stands in the page while it loads and again when it is there: the second one costs nothing. */
function drawOnce(code: string): string {
  if (drawn.code !== code) drawn = { code, svg: ghostSvg(code) };
  return drawn.svg;
}
