/** What an operator wrote, as plain text: close to the Markdown it was written in. */
import type { MailBlock, MailWords } from '../contract/mails.ts';

/** Blocks of lines, unwrapped, without empty lines between them. */
export function writeBlocks(
  blocks: readonly MailBlock[],
  wrap: (text: string) => string,
): string[] {
  return blocks.map((block) => writeBlock(block, wrap));
}

/** Without marks. */
export function wordsToText(words: readonly MailWords[]): string {
  return words
    .map((word) => {
      if ('text' in word) return word.text;
      return word.kind === 'break' ? '\n' : wordsToText(word.words);
    })
    .join('');
}

function writeBlock(block: MailBlock, wrap: (text: string) => string): string {
  switch (block.kind) {
    case 'heading':
      return wrapLines(writeWords(block.words).toUpperCase(), wrap);
    case 'paragraph':
      return wrapLines(writeWords(block.words), wrap);
    case 'list':
      return block.items
        .map((item, index) => {
          const mark = block.firstNumber === null ? '- ' : `${block.firstNumber + index}. `;
          const text = writeBlocks(item, wrap).join('\n');
          return mark + indent(text, ' '.repeat(mark.length)).slice(mark.length);
        })
        .join('\n');
    case 'quote':
      return indent(writeBlocks(block.blocks, wrap).join('\n\n'), '| ');
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

function wrapLines(text: string, wrap: (text: string) => string): string {
  return text
    .split('\n')
    .map((line) => wrap(line.trim()))
    .join('\n');
}

function indent(text: string, prefix: string): string {
  return text
    .split('\n')
    .map((line) => `${prefix}${line}`)
    .join('\n');
}
