import { useEffect, useState } from 'react';
import { ghostSvg, lightFaces } from '../../../brand/art/ghost.ts';
import { brand } from '../../../brand/brand.ts';
import { memberStorage } from '../../browser/storage.ts';
import { runInSlices } from '../../light/run-in-slices.ts';
import { EMPTY_STATE, type PrerenderedState } from '../../prerendered-state.ts';
import { InlineArt } from '../../ui/inline-art.tsx';

type GhostCardProps = {
  /** Undefined while loading, when the card has its final height already. */
  readonly code: string | undefined;
  readonly draw?: () => string;
  /** The member has just reached the top or a tier: the card flares, the face is repainted. */
  readonly isFlaring?: boolean;
};

export function GhostCard({ code, draw, isFlaring = false }: GhostCardProps) {
  if (code === undefined) return <GhostLoading />;
  return (
    <section
      className={`card stack ghost-card ${isFlaring ? 'arriving' : ''}`}
      aria-labelledby="your-ghost"
    >
      {isFlaring && <span className="tier-flare" aria-hidden="true" />}
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
    <div className="card stack placeholder-card ghost-card" aria-hidden="true">
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

export function drawOnce(code: string): string {
  if (drawn.code !== code) drawn = { code, svg: ghostSvg(code) };
  return drawn.svg;
}

/** The form turns into the face (0.6 s), rests (0.2 s) and is painted (0.9 s). Digits follow. */
const ARRIVAL_MS = 1700;

/** The code of a member who joined in this browser: the face needs no answer of the server. */
export function useOwnFace(
  memberId: string,
  prerendered: PrerenderedState,
): { readonly code: string | undefined; readonly isArriving: boolean } {
  const isFromForm = prerendered === EMPTY_STATE;
  // The view transition needs the face at once; hydration needs what the server has rendered.
  const [code, setCode] = useState(() => (isFromForm ? readCode(memberId) : undefined));
  const [isArriving, setArriving] = useState(isFromForm);

  useEffect(() => {
    setCode(readCode(memberId));
    runInSlices(lightFaces());
    const timer = setTimeout(() => setArriving(false), ARRIVAL_MS);
    return () => clearTimeout(timer);
  }, [memberId]);

  return { code, isArriving };
}

function readCode(memberId: string): string | undefined {
  const member = memberStorage.read();
  return member?.id === memberId ? member.referral_code : undefined;
}
