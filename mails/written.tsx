import { Fragment } from 'react';
import type { MailBlock, MailWords } from '../contract/mails.ts';
import { Paragraph } from './blocks.tsx';
import { Painted, useMailStyle } from './mail-style.tsx';

export function Written({ blocks }: { blocks: readonly MailBlock[] }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never again.
    <WrittenBlock key={index} block={block} />
  ));
}

function WrittenBlock({ block }: { block: MailBlock }) {
  const { colours, direction, faces } = useMailStyle();
  switch (block.kind) {
    case 'heading':
      return (
        <Painted
          as="h2"
          ink="bone"
          style={{ margin: '20px 0 12px', font: `800 22px/28px ${faces.display}` }}
        >
          <Words words={block.words} />
        </Painted>
      );
    case 'paragraph':
      return (
        <Paragraph ink="bone">
          <Words words={block.words} />
        </Paragraph>
      );
    case 'list':
      return (
        <Painted
          as={block.firstNumber === null ? 'ul' : 'ol'}
          {...(block.firstNumber !== null && { start: block.firstNumber })}
          ink="bone"
          style={{
            margin: '0 0 12px',
            padding: direction === 'rtl' ? '0 24px 0 0' : '0 0 0 24px',
            font: `400 17px/26px ${faces.text}`,
          }}
        >
          {block.items.map((blocks, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never again.
            <li key={index}>
              <Written blocks={blocks} />
            </li>
          ))}
        </Painted>
      );
    case 'quote':
      return (
        <div
          style={{
            margin: '0 0 12px',
            padding: '4px 0 0 16px',
            borderLeft: `3px solid ${colours.edge}`,
          }}
        >
          <Written blocks={block.blocks} />
        </div>
      );
    case 'code':
      return (
        <Painted
          as="pre"
          ink="fog"
          style={{
            margin: '0 0 12px',
            font: `400 14px/22px ${faces.mono}`,
            whiteSpace: 'pre-wrap',
            wordBreak: 'break-word',
          }}
        >
          {block.text}
        </Painted>
      );
    case 'rule':
      return (
        <div style={{ margin: '20px 0', borderTop: `1px solid ${colours.line}`, fontSize: 0 }} />
      );
  }
}

function Words({ words }: { words: readonly MailWords[] }) {
  return words.map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never again.
    <Fragment key={index}>
      <Word word={word} />
    </Fragment>
  ));
}

function Word({ word }: { word: MailWords }) {
  const { faces } = useMailStyle();
  switch (word.kind) {
    case 'text':
      return word.text;
    case 'code':
      return <span style={{ fontFamily: faces.mono }}>{word.text}</span>;
    case 'strong':
    case 'emphasis': {
      const Tag = word.kind === 'strong' ? 'strong' : 'em';
      return (
        <Tag>
          <Words words={word.words} />
        </Tag>
      );
    }
    case 'link':
      return (
        <Painted
          as="a"
          href={word.href}
          ink="afterglow"
          style={{ textDecoration: 'underline', wordBreak: 'break-word' }}
        >
          <Words words={word.words} />
        </Painted>
      );
    case 'break':
      return <br />;
  }
}
