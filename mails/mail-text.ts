/** The plain-text version, written from the parts rather than derived from the HTML. */
import type { MailParts } from './mail-parts.ts';
import { writeBlocks } from './written-text.ts';

/** Some readers do not wrap, and quoting adds two characters. */
const LINE_LENGTH = 76;

export function writeText(parts: MailParts): string {
  const { action, facts, invite, footer, note } = parts;
  const headline = parts.headline.filter(Boolean).join(' ');
  const blocks = [
    `${parts.brandName.toUpperCase()} / ${parts.referralCode}`,
    `${wrap(headline)}\n${'='.repeat(Math.min(headline.length, LINE_LENGTH))}`,
    ...parts.paragraphs.map(wrap),
    ...writeBlocks(parts.blocks, wrap),
    facts.map(({ label, value }) => wrap(`${label}: ${value}`)).join('\n'),
    `${action.label}:\n${action.link}`,
    wrap(note),
    `${invite.title.toUpperCase()}\n${wrap(invite.note)}\n${invite.link}`,
    `${'-'.repeat(LINE_LENGTH)}\n${wrap(footer.why)}`,
    `${footer.status.label}:\n${footer.status.link}`,
    `${footer.preferences.label}:\n${footer.preferences.link}`,
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

/** Breaks at spaces only, so that links stay whole. */
function wrap(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > LINE_LENGTH) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join('\n');
}
