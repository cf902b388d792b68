import { ghostSvg } from '../../../brand/art/ghost.ts';
import { brand } from '../../../brand/brand.ts';
import { InlineArt } from '../../ui/inline-art.tsx';

type GhostCardProps = {
  /** undefined until it is known: the card has its final height already. */
  readonly code: string | undefined;
  /** Where the server fills in the face. */
  readonly draw?: () => string;
};

/** The member's face, drawn from their referral code. */
export function GhostCard({ code, draw }: GhostCardProps) {
  if (code === undefined) return <GhostLoading />;
  return (
    <section className="card ghost-card" aria-labelledby="your-ghost">
      <div className="ghost-card-face">
        <InlineArt id="own-ghost" draw={draw ?? (() => drawOnce(code))} />
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

function GhostLoading() {
  return (
    <div className="card placeholder-card ghost-card" aria-hidden="true">
      <div className="ghost-card-face" />
      <div className="ghost-card-words">
        <p className="label">{brand.copy.faceTitle}</p>
        <p className="ghost-card-code">{brand.copy.faceTitle}</p>
        <p className="quiet">{brand.copy.faceNote}</p>
      </div>
    </div>
  );
}

let drawn = { code: '', svg: '' };

/** Keeps the last face: the page shows it more than once. */
export function drawOnce(code: string): string {
  if (drawn.code !== code) drawn = { code, svg: ghostSvg(code) };
  return drawn.svg;
}
