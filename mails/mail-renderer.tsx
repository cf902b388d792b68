import { renderToStaticMarkup } from 'react-dom/server';
import type { Brand } from '../brand/brand-shape.ts';
import type { RenderMail } from '../contract/mails.ts';
import { CONTENT_WIDTH, MailBody, WIDE_SIZES } from './mail-body.tsx';
import { composeParts, type MailParts } from './mail-parts.ts';
import { type MailStyle, MailStyleContext, pinnedColours, readMailStyle } from './mail-style.tsx';
import { writeText } from './mail-text.ts';

/** `css` is the text of the brand's tokens.css. Throws when a token is invalid. */
export function openMailRenderer(brand: Brand, css: string): RenderMail {
  const style = readMailStyle(brand, css);
  return (content, frame) => {
    const parts = composeParts(brand, content, frame);
    const body = renderToStaticMarkup(
      <MailStyleContext value={style}>
        <MailBody parts={parts} />
      </MailStyleContext>,
    );
    return {
      subject: parts.subject,
      html: renderDocument(parts, style, body),
      text: writeText(parts),
    };
  };
}

/** Outlook for Windows reads its width from conditional comments, which React cannot render. */
function renderDocument(parts: MailParts, style: MailStyle, body: string): string {
  const { language, direction, colours } = style;
  const { void: ground, bone: ink } = colours;
  const title = renderToStaticMarkup(<title>{parts.subject}</title>);
  const preview = renderToStaticMarkup(
    <div style={HIDDEN}>
      {parts.preview}
      {FILLER}
    </div>,
  );
  return [
    `<!doctype html><html lang="${language}" dir="${direction}"`,
    ' xmlns="http://www.w3.org/1999/xhtml"><head>',
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">',
    '<meta name="x-apple-disable-message-reformatting">',
    title,
    `<style>${RESET}</style><style>${WIDE_SIZES}</style><style>${keepColours(style)}</style>`,
    `${MSO_HEAD}</head>`,
    '<body class="ink-bone ground-void"',
    ` style="margin:0;padding:0;color:${ink};background-color:${ground}">${preview}`,
    '<table role="presentation" class="ink-bone ground-void" width="100%"',
    ' border="0" cellpadding="0" cellspacing="0"',
    ` style="color:${ink};background-color:${ground}">`,
    `<tr><td align="center" style="padding:0 20px">${MSO_OPEN}${body}${MSO_CLOSE}</td></tr>`,
    '</table></body></html>',
  ].join('');
}

const HIDDEN = {
  display: 'none',
  maxHeight: 0,
  overflow: 'hidden',
  fontSize: 1,
  lineHeight: '1px',
  opacity: 0,
  msoHide: 'all',
} as const;

const FILLER = '\u034f \u200c \u00a0'.repeat(40);

/** Each kind of rule has a block, because Gmail drops a whole block over one unknown rule. */
const RESET =
  'body{width:100%!important;-webkit-text-size-adjust:100%;text-size-adjust:100%}img{border:0}';

/** Dark mode must not change the look. Gmail inverts it anyway, text and ground together. */
function keepColours(style: MailStyle): string {
  return [
    ':root{color-scheme:light dark;supported-color-schemes:light dark}',
    `@media (prefers-color-scheme:dark){${pinnedColours(style, { ink: '', ground: '' })}}`,
    pinnedColours(style, { ink: '[data-ogsc] ', ground: '[data-ogsb] ' }),
    'a[x-apple-data-detectors]{color:inherit!important;text-decoration:none!important}',
  ].join('');
}

/** Real pixels on dense screens, and a font that Word does not replace with Times. */
const MSO_HEAD =
  '<!--[if mso]><noscript><xml>' +
  '<o:OfficeDocumentSettings xmlns:o="urn:schemas-microsoft-com:office:office">' +
  '<o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml></noscript>' +
  '<style>h1,h2,p,a,td,span{font-family:Arial,sans-serif!important}</style><![endif]-->';
const MSO_OPEN =
  `<!--[if mso]><table role="presentation" align="center" width="${CONTENT_WIDTH}"` +
  ' border="0" cellpadding="0" cellspacing="0"><tr><td><![endif]-->';
const MSO_CLOSE = '<!--[if mso]></td></tr></table><![endif]-->';
