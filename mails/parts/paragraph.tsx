import type { ReactNode } from 'react';
import { type Ink, paint, useMailStyle } from '../mail-style.ts';

type ParagraphProps = {
  readonly ink: Ink;
  readonly size?: 'text' | 'small';
  /** Margin in px: Outlook for Windows ignores the padding of paragraphs. */
  readonly above?: number;
  readonly children: ReactNode;
};

const FONTS = { text: '400 17px/26px', small: '400 14px/22px' };

export function Paragraph({ ink, size = 'text', above = 0, children }: ParagraphProps) {
  const style = useMailStyle();
  const { className, colours } = paint(style, { ink });
  return (
    <p
      className={className}
      style={{
        ...colours,
        margin: `${above}px 0 12px`,
        font: `${FONTS[size]} ${style.faces.text}`,
      }}
    >
      {children}
    </p>
  );
}
