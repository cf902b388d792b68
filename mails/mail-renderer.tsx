import { renderToStaticMarkup } from 'react-dom/server';
import type { Brand } from '../brand/brand-shape.ts';
import type { RenderMail } from '../contract/mails.ts';
import { checkBrandTexts } from './brand-texts.ts';
import { renderDocument } from './document.tsx';
import { MailBody } from './mail-body.tsx';
import { composeParts } from './mail-parts.ts';
import { MailStyleContext, readMailStyle } from './mail-style.tsx';
import { writeText } from './mail-text.ts';

/** `css` is the text of the brand's tokens.css. Throws when a token or text is invalid. */
export function openMailRenderer(brand: Brand, css: string): RenderMail {
  checkBrandTexts(brand);
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
