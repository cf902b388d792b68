import type { MailParts } from '../mail-parts.ts';
import { paint, useMailStyle } from '../mail-style.ts';

/** In px, by length: fits one line on the narrowest phone. Longer texts may wrap. */
const FIGURE_SIZES: readonly (readonly [length: number, size: number])[] = [
  [5, 84],
  [7, 62],
  [9, 48],
];
const WORDS_SIZE = 36;
/** In px. */
const GHOST_SIDE = 200;

/** The member's ghost and the three lines: side by side, or stacked where there is no room. */
export function Headline({
  lines,
  ghost,
}: {
  lines: MailParts['headline'];
  ghost: MailParts['ghost'];
}) {
  const style = useMailStyle();
  const [before, figure, after] = lines;
  const caps = {
    font: `800 26px/32px ${style.faces.display}`,
    textTransform: 'uppercase',
    margin: 0,
  } as const;
  const figureSize = FIGURE_SIZES.find(([length]) => figure.length <= length)?.[1] ?? WORDS_SIZE;
  const lit = paint(style, { ink: 'afterglow' });
  const quiet = paint(style, { ink: 'fog' });
  const plain = paint(style, { ink: 'bone' });
  const alt = paint(style, { ink: 'charge', ground: 'deep' });
  const column = { display: 'inline-block', verticalAlign: 'middle', width: '100%' } as const;
  return (
    <>
      <div style={{ ...column, maxWidth: GHOST_SIDE + 24 }}>
        <img
          src={ghost.image}
          alt={ghost.alt}
          width={GHOST_SIDE}
          height={GHOST_SIDE}
          className={alt.className}
          style={{
            ...alt.colours,
            display: 'block',
            border: `1px solid ${style.colours.line}`,
            borderRadius: style.radii['radius-card'],
            font: `400 14px/20px ${style.faces.text}`,
          }}
          // Otherwise React adds a preload link to the mail.
          fetchPriority="low"
        />
      </div>
      <div style={{ ...column, maxWidth: 332 }}>
        <h1 className={plain.className} style={{ ...caps, ...plain.colours, padding: '12px 0' }}>
          {before && (
            <>
              <span className={quiet.className} style={quiet.colours}>
                {before}
              </span>
              <br />
            </>
          )}
          <span
            className={lit.className}
            style={{
              ...lit.colours,
              fontSize: figureSize,
              lineHeight: `${figureSize + 4}px`,
              letterSpacing: '-0.03em',
            }}
          >
            {figure}
          </span>
          {after && (
            <>
              <br />
              {after}
            </>
          )}
        </h1>
      </div>
    </>
  );
}
