import type { MailParts } from '../mail-parts.ts';
import { labelFont, paint, useMailStyle } from '../mail-style.ts';
import { Blocks } from './table.tsx';

export function Masthead({
  brandName,
  siteLink,
  referralCode,
}: Pick<MailParts, 'brandName' | 'siteLink' | 'referralCode'>) {
  const style = useMailStyle();
  const name = paint(style, { ink: 'bone' });
  const code = paint(style, { ink: 'fog' });
  const font = `800 17px/24px ${style.faces.display}`;
  return (
    <Blocks>
      <tr>
        <td>
          <a
            href={siteLink}
            className={name.className}
            style={{ ...name.colours, font, textTransform: 'uppercase', textDecoration: 'none' }}
          >
            {brandName}
          </a>
        </td>
        <td
          align={style.direction === 'rtl' ? 'left' : 'right'}
          className={code.className}
          style={{ ...code.colours, ...labelFont(style) }}
        >
          {referralCode}
        </td>
      </tr>
    </Blocks>
  );
}
