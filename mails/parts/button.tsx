import { paint, useMailStyle } from '../mail-style.ts';
import { Block, Blocks } from './table.tsx';

/** The padded link is clickable as a whole. Outlook for Windows pads the cell instead. */
export function Button({ label, link }: { label: string; link: string }) {
  const style = useMailStyle();
  const ground = paint(style, { ground: 'afterglow' });
  const words = paint(style, { ink: 'void' });
  const borderRadius = style.radii['radius-control'];
  return (
    <Blocks style={{ borderCollapse: 'separate' }}>
      <Block
        className={ground.className}
        style={{ ...ground.colours, borderRadius, textAlign: 'center', msoPaddingAlt: '18px 24px' }}
      >
        <a
          href={link}
          className={words.className}
          style={{
            ...words.colours,
            display: 'block',
            padding: '18px 24px',
            msoPaddingAlt: '0',
            borderRadius,
            font: `800 17px/22px ${style.faces.display}`,
            textDecoration: 'none',
          }}
        >
          {label}
        </a>
      </Block>
    </Blocks>
  );
}
