import type { MailParts } from '../mail-parts.ts';
import { useMailStyle } from '../mail-style.ts';
import { Button } from './button.tsx';
import { FactList } from './fact-list.tsx';
import { Footer } from './footer.tsx';
import { Headline } from './headline.tsx';
import { InviteCard } from './invite-card.tsx';
import { Masthead } from './masthead.tsx';
import { Paragraph } from './paragraph.tsx';
import { Block, Blocks } from './table.tsx';
import { Written } from './written.tsx';

/** In px. With 20 px on each side the mail is 600 px wide, which fits every client. */
export const CONTENT_WIDTH = 560;

export function MailBody({ parts }: { parts: MailParts }) {
  const { language, direction } = useMailStyle();
  return (
    // Repeats the document's attributes, because webmail shows the body only.
    <div lang={language} dir={direction}>
      <Blocks
        style={{ maxWidth: CONTENT_WIDTH, textAlign: direction === 'rtl' ? 'right' : 'left' }}
      >
        <Block style={{ padding: '28px 0 24px' }}>
          <Masthead {...parts} />
        </Block>
        <Block style={{ padding: '0 0 28px', fontSize: 0 }}>
          <Headline lines={parts.headline} ghost={parts.ghost} />
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
            <FactList facts={parts.facts} />
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
