import { Fragment } from 'react';
import { Block, Blocks, Box, Button, Paragraph } from './blocks.tsx';
import type { MailParts } from './mail-parts.ts';
import { labelFont, Painted, useMailStyle } from './mail-style.tsx';
import { Written } from './written.tsx';

/** Width in pixels. With 20 px on each side the mail is 600 px wide, which fits every client. */
export const CONTENT_WIDTH = 560;

export function MailBody({ parts }: { parts: MailParts }) {
  const { language, direction } = useMailStyle();
  return (
    // The element repeats the document's attributes, because webmail shows the body only.
    <div lang={language} dir={direction}>
      <Blocks
        style={{ maxWidth: CONTENT_WIDTH, textAlign: direction === 'rtl' ? 'right' : 'left' }}
      >
        <Block style={{ padding: '28px 0 24px' }}>
          <Masthead {...parts} />
        </Block>
        <Block style={{ padding: '0 0 28px' }}>
          <Headline {...parts} />
        </Block>
        <Block style={{ padding: '0 0 12px' }}>
          {parts.paragraphs.map((text, index) => (
            <Paragraph key={text} ink={index === 0 ? 'bone' : 'fog'}>
              {text}
            </Paragraph>
          ))}
          <Written blocks={parts.blocks} />
        </Block>
        {parts.facts.length > 0 && (
          <Block style={{ padding: '0 0 28px' }}>
            <FactList {...parts} />
          </Block>
        )}
        <Block style={{ padding: '0 0 40px' }}>
          <Button {...parts.action} />
          {parts.note && (
            <Paragraph ink="fog" size="small" above={16}>
              {parts.note}
            </Paragraph>
          )}
        </Block>
        <Block style={{ padding: '0 0 32px' }}>
          <InviteCard {...parts.invite} />
        </Block>
        <Block style={{ padding: '0 0 40px' }}>
          <Footer {...parts.footer} />
        </Block>
      </Blocks>
    </div>
  );
}

function Masthead({ brandName, siteLink, referralCode }: MailParts) {
  const style = useMailStyle();
  const font = `800 17px/24px ${style.faces.display}`;
  return (
    <Blocks>
      <tr>
        <td>
          <Painted
            as="a"
            href={siteLink}
            ink="bone"
            style={{ font, textTransform: 'uppercase', textDecoration: 'none' }}
          >
            {brandName}
          </Painted>
        </td>
        <Painted
          as="td"
          align={style.direction === 'rtl' ? 'left' : 'right'}
          ink="fog"
          style={labelFont(style)}
        >
          {referralCode}
        </Painted>
      </tr>
    </Blocks>
  );
}

/** Pixels by length: in any window, and in one that is wide enough for more (`WIDE_SIZES`). */
const FIGURE_SIZES: readonly (readonly [length: number, narrow: number, wide: number])[] = [
  [5, 48, 84],
  [7, 36, 62],
  [9, 28, 48],
  [Number.POSITIVE_INFINITY, 22, 36],
];
const PICTURE_SIDE = 200;
const PICTURE_SHARE = '36%';

/** Clients that ignore media queries show the smaller sizes, which fit beside the face. */
export const WIDE_SIZES = `@media (min-width:480px){${[
  'h1{font-size:26px!important;line-height:32px!important}',
  ...FIGURE_SIZES.map(
    ([, , px]) => `.figure-${px}{font-size:${px}px!important;line-height:${px + 4}px!important}`,
  ),
].join('')}}`;

function Headline({ headline: [before, figure, after], picture }: MailParts) {
  const { colours, direction, faces, radii } = useMailStyle();
  const [, narrow = 0, wide] = FIGURE_SIZES.find(([length]) => figure.length <= length) ?? [];
  return (
    <Blocks>
      <tr>
        <td width={PICTURE_SIDE} style={{ width: PICTURE_SHARE }}>
          <Painted
            as="img"
            src={picture.image}
            alt={picture.alt}
            width={PICTURE_SIDE}
            height={PICTURE_SIDE}
            ink="charge"
            ground="deep"
            style={{
              display: 'block',
              boxSizing: 'border-box',
              width: '100%',
              maxWidth: PICTURE_SIDE,
              height: 'auto',
              border: `1px solid ${colours.line}`,
              borderRadius: radii['radius-card'],
              font: `400 14px/20px ${faces.text}`,
            }}
            // A low priority keeps React from adding a preload link to the mail.
            fetchPriority="low"
          />
        </td>
        <td style={{ padding: direction === 'rtl' ? '0 16px 0 0' : '0 0 0 16px' }}>
          <Painted
            as="h1"
            ink="bone"
            style={{
              font: `800 20px/26px ${faces.display}`,
              textTransform: 'uppercase',
              textWrap: 'balance',
              margin: 0,
            }}
          >
            {before && (
              <>
                <Painted as="span" ink="fog">
                  {before}
                </Painted>
                <br />
              </>
            )}
            <Painted
              as="span"
              className={`figure-${wide}`}
              ink="afterglow"
              style={{
                fontSize: narrow,
                lineHeight: `${narrow + 4}px`,
                letterSpacing: '-0.03em',
              }}
            >
              {figure}
            </Painted>
            {after && (
              <>
                <br />
                {after}
              </>
            )}
          </Painted>
        </td>
      </tr>
    </Blocks>
  );
}

function FactList({ facts }: Pick<MailParts, 'facts'>) {
  const style = useMailStyle();
  const border = `1px solid ${style.colours.line}`;
  const isRtl = style.direction === 'rtl';
  return (
    <Blocks style={{ borderBottom: border }}>
      {facts.map(({ label, value }) => (
        <tr key={label}>
          <Painted
            as="td"
            ink="fog"
            style={{
              ...labelFont(style),
              borderTop: border,
              padding: '14px 0',
              whiteSpace: 'nowrap',
            }}
          >
            {label}
          </Painted>
          <Painted
            as="td"
            align={isRtl ? 'left' : 'right'}
            ink="bone"
            style={{
              font: `700 17px/24px ${style.faces.text}`,
              borderTop: border,
              padding: isRtl ? '14px 16px 14px 0' : '14px 0 14px 16px',
            }}
          >
            {value}
          </Painted>
        </tr>
      ))}
    </Blocks>
  );
}

function InviteCard({ title, label, note, link }: MailParts['invite']) {
  const style = useMailStyle();
  const { faces, colours } = style;
  return (
    <Box
      ground="carbon"
      radius="radius-card"
      style={{ border: `1px solid ${colours.line}`, padding: '24px 24px 28px' }}
    >
      <Painted
        as="h2"
        ink="bone"
        style={{
          margin: '0 0 8px',
          font: `800 20px/26px ${faces.display}`,
          textTransform: 'uppercase',
        }}
      >
        {title}
      </Painted>
      <Paragraph ink="fog">{note}</Paragraph>
      <Painted as="p" ink="fog" style={{ ...labelFont(style), margin: '20px 0 8px' }}>
        {label}
      </Painted>
      <Box
        ground="void"
        radius="radius-control"
        style={{ border: `1px solid ${colours.edge}`, padding: '16px' }}
      >
        <Painted
          as="a"
          href={link}
          dir="ltr"
          ink="bone"
          style={{
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
        </Painted>
      </Box>
    </Box>
  );
}

function splitLink(link: string): string[] {
  return link.split(/(?<=:\/\/)|(?<=[^/:])(?=\/)/);
}

function Footer({ why, links }: MailParts['footer']) {
  return (
    <>
      <Paragraph ink="fog" size="small">
        {why}
      </Paragraph>
      {links.map(({ label, link }) => (
        <Paragraph key={label} ink="fog" size="small">
          <Painted
            as="a"
            href={link}
            ink="fog"
            style={{ textDecoration: 'underline', wordBreak: 'break-word' }}
          >
            {label}
          </Painted>
        </Paragraph>
      ))}
    </>
  );
}
