import type { MailBlock, MailWords } from '../contract/mails.ts';
import type { MailParts } from './mail-parts.ts';

/** Some mail clients do not wrap lines, and quoting adds two characters. */
const LINE_LENGTH = 76;

export function writeText(parts: MailParts): string {
  const { action, facts, invite, footer, note } = parts;
  const headline = parts.headline.filter(Boolean).join(' ');
  const blocks = [
    `${parts.brandName.toUpperCase()} / ${parts.referralCode}`,
    `${wrap(headline)}\n${'='.repeat(Math.min(headline.length, LINE_LENGTH))}`,
    ...parts.paragraphs.map(wrap),
    ...parts.blocks.map(writeBlock),
    facts.map(({ label, value }) => wrap(`${label}: ${value}`)).join('\n'),
    `${action.label}:\n${action.link}`,
    wrap(note),
    `${invite.title.toUpperCase()}\n${wrap(invite.note)}\n${invite.link}`,
    `${'-'.repeat(LINE_LENGTH)}\n${wrap(footer.why)}`,
    ...footer.links.map(({ label, link }) => `${wrap(label)}:\n${link}`),
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

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

function writeBlock(block: MailBlock): string {
  switch (block.kind) {
    case 'heading':
      return wrapLines(writeWords(block.words).toUpperCase());
    case 'paragraph':
      return wrapLines(writeWords(block.words));
    case 'list':
      return block.items
        .map((item, index) => {
          const mark = block.firstNumber === null ? '- ' : `${block.firstNumber + index}. `;
          const text = item.map(writeBlock).join('\n');
          return mark + indent(text, ' '.repeat(mark.length)).slice(mark.length);
        })
        .join('\n');
    case 'quote':
      return indent(block.blocks.map(writeBlock).join('\n\n'), '| ');
    case 'code':
      return indent(block.text, '    ');
    case 'rule':
      return '* * *';
  }
}

function writeWords(words: readonly MailWords[]): string {
  return words
    .map((word) => {
      if ('text' in word) return word.text;
      if (word.kind === 'break') return '\n';
      const text = writeWords(word.words);
      if (word.kind !== 'link' || text === word.href) return text;
      return `${text} (${word.href})`;
    })
    .join('');
}

function wrapLines(text: string): string {
  return text
    .split('\n')
    .map((line) => wrap(line.trim()))
    .join('\n');
}

function indent(text: string, prefix: string): string {
  return prefix + text.replaceAll('\n', `\n${prefix}`);
}
