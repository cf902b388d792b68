import type { MailParts } from '../mail-parts.ts';
import { paint, useMailStyle } from '../mail-style.ts';
import { Paragraph } from './paragraph.tsx';

/** Why the mail was sent, and links to the status and preferences pages. */
export function Footer({ why, status, preferences }: MailParts['footer']) {
  const style = useMailStyle();
  const { className, colours } = paint(style, { ink: 'fog' });
  return (
    <>
      <Paragraph ink="fog" size="small">
        {why}
      </Paragraph>
      {[status, preferences].map(({ label, link }) => (
        <Paragraph key={label} ink="fog" size="small">
          <a href={link} className={className} style={{ ...colours, textDecoration: 'underline' }}>
            {label}
          </a>
        </Paragraph>
      ))}
    </>
  );
}
