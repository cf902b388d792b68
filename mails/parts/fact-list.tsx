import type { Fact } from '../mail-parts.ts';
import { labelFont, paint, useMailStyle } from '../mail-style.ts';
import { Blocks } from './table.tsx';

export function FactList({ facts }: { facts: readonly Fact[] }) {
  const style = useMailStyle();
  const caption = paint(style, { ink: 'fog' });
  const plain = paint(style, { ink: 'bone' });
  const border = `1px solid ${style.colours.line}`;
  const end = style.direction === 'rtl' ? 'left' : 'right';
  return (
    <Blocks style={{ borderBottom: border }}>
      {facts.map(({ label, value }) => (
        <tr key={label}>
          <td
            className={caption.className}
            style={{
              ...caption.colours,
              ...labelFont(style),
              borderTop: border,
              padding: '14px 0',
              whiteSpace: 'nowrap',
            }}
          >
            {label}
          </td>
          <td
            align={end}
            className={plain.className}
            style={{
              ...plain.colours,
              font: `700 17px/24px ${style.faces.text}`,
              borderTop: border,
              padding: style.direction === 'rtl' ? '14px 16px 14px 0' : '14px 0 14px 16px',
            }}
          >
            {value}
          </td>
        </tr>
      ))}
    </Blocks>
  );
}
