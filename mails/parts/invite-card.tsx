import { Fragment } from 'react';
import type { MailParts } from '../mail-parts.ts';
import { labelFont, paint, useMailStyle } from '../mail-style.ts';
import { Paragraph } from './paragraph.tsx';
import { Block, Blocks } from './table.tsx';

/** The invite link as text, so that it can be copied. */
export function InviteCard({ title, label, note, link }: MailParts['invite']) {
  const style = useMailStyle();
  const { faces, radii, colours } = style;
  const card = paint(style, { ground: 'carbon' });
  const field = paint(style, { ground: 'void' });
  const caption = paint(style, { ink: 'fog' });
  const plain = paint(style, { ink: 'bone' });
  return (
    <Blocks style={{ borderCollapse: 'separate', tableLayout: 'fixed' }}>
      <Block
        className={card.className}
        style={{
          ...card.colours,
          border: `1px solid ${colours.line}`,
          borderRadius: radii['radius-card'],
          padding: '24px 24px 28px',
        }}
      >
        <h2
          className={plain.className}
          style={{
            ...plain.colours,
            margin: '0 0 8px',
            font: `800 20px/26px ${faces.display}`,
            textTransform: 'uppercase',
          }}
        >
          {title}
        </h2>
        <Paragraph ink="fog">{note}</Paragraph>
        <p
          className={caption.className}
          style={{ ...caption.colours, ...labelFont(style), margin: '20px 0 8px' }}
        >
          {label}
        </p>
        <Blocks style={{ borderCollapse: 'separate', tableLayout: 'fixed' }}>
          <Block
            className={field.className}
            style={{
              ...field.colours,
              border: `1px solid ${colours.edge}`,
              borderRadius: radii['radius-control'],
              padding: '16px',
            }}
          >
            <a
              href={link}
              dir="ltr"
              className={plain.className}
              style={{
                ...plain.colours,
                font: `400 15px/22px ${faces.mono}`,
                textDecoration: 'none',
                overflowWrap: 'break-word',
              }}
            >
              {splitLink(link).map((part) => (
                <Fragment key={part}>
                  {part}
                  <wbr />
                </Fragment>
              ))}
            </a>
          </Block>
        </Blocks>
      </Block>
    </Blocks>
  );
}

/** Allows line breaks after the scheme and before each path segment. */
function splitLink(link: string): string[] {
  return link.split(/(?<=:\/\/)|(?<=[^/:])(?=\/)/);
}
