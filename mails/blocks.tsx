/** Layout tables, the only layout that Outlook for Windows supports. Screen readers skip them. */
import type { CSSProperties, ReactNode } from 'react';
import { type Ink, Painted, useMailStyle } from './mail-style.tsx';

type BlocksProps = { readonly style?: CSSProperties; readonly children: ReactNode };

export function Blocks({ style, children }: BlocksProps) {
  return (
    <table
      role="presentation"
      width="100%"
      border={0}
      cellPadding={0}
      cellSpacing={0}
      style={style}
    >
      <tbody>{children}</tbody>
    </table>
  );
}

export function Block({ style, children }: BlocksProps) {
  return (
    <tr>
      <td style={style}>{children}</td>
    </tr>
  );
}

type BoxProps = {
  readonly ground: 'afterglow' | 'carbon' | 'void';
  readonly radius: 'radius-control' | 'radius-card';
  readonly style: CSSProperties;
  readonly children: ReactNode;
};

/** A table of one cell. Round corners require separate borders. */
export function Box({ ground, radius, style, children }: BoxProps) {
  const { radii } = useMailStyle();
  return (
    <Blocks style={{ borderCollapse: 'separate', tableLayout: 'fixed' }}>
      <tr>
        <Painted as="td" ground={ground} style={{ borderRadius: radii[radius], ...style }}>
          {children}
        </Painted>
      </tr>
    </Blocks>
  );
}

/** The padded link is clickable as a whole. Outlook for Windows pads the cell instead. */
export function Button({ label, link }: { label: string; link: string }) {
  const { faces, radii } = useMailStyle();
  return (
    <Box
      ground="afterglow"
      radius="radius-control"
      style={{ textAlign: 'center', msoPaddingAlt: '18px 24px' }}
    >
      <Painted
        as="a"
        href={link}
        ink="void"
        style={{
          display: 'block',
          padding: '18px 24px',
          msoPaddingAlt: '0',
          borderRadius: radii['radius-control'],
          font: `800 17px/22px ${faces.display}`,
          textDecoration: 'none',
        }}
      >
        {label}
      </Painted>
    </Box>
  );
}

type ParagraphProps = {
  readonly ink: Ink;
  readonly size?: 'text' | 'small';
  /** Margin in px: Outlook for Windows ignores the padding of paragraphs. */
  readonly above?: number;
  readonly children: ReactNode;
};

const FONTS = { text: '400 17px/26px', small: '400 14px/22px' };

export function Paragraph({ ink, size = 'text', above = 0, children }: ParagraphProps) {
  const { faces } = useMailStyle();
  const font = `${FONTS[size]} ${faces.text}`;
  return (
    <Painted as="p" ink={ink} style={{ margin: `${above}px 0 12px`, font }}>
      {children}
    </Painted>
  );
}
