import { Fragment } from 'react';
import type { MailBlock, MailWords } from '../../contract/mails.ts';
import { paint, useMailStyle } from '../mail-style.ts';
import { Paragraph } from './paragraph.tsx';

/** What an operator wrote. */
export function Written({ blocks }: { blocks: readonly MailBlock[] }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never again.
    <WrittenBlock key={index} block={block} />
  ));
}

function WrittenBlock({ block }: { block: MailBlock }) {
  const style = useMailStyle();
  const { className, colours } = paint(style, { ink: 'bone' });
  const quiet = paint(style, { ink: 'fog' });
  switch (block.kind) {
    case 'heading':
      return (
        <h2
          className={className}
          style={{
            ...colours,
            margin: '20px 0 12px',
            font: `800 22px/28px ${style.faces.display}`,
          }}
        >
          <Words words={block.words} />
        </h2>
      );
    case 'paragraph':
      return (
        <Paragraph ink="bone">
          <Words words={block.words} />
        </Paragraph>
      );
    case 'list':
      return <WrittenList {...block} />;
    case 'quote':
      return (
        <div
          style={{
            margin: '0 0 12px',
            padding: '4px 0 0 16px',
            borderLeft: `3px solid ${style.colours.edge}`,
          }}
        >
          <Written blocks={block.blocks} />
        </div>
      );
    case 'code':
      return (
        <pre
          className={quiet.className}
          style={{
            ...quiet.colours,
            margin: '0 0 12px',
            font: `400 14px/22px ${style.faces.mono}`,
            whiteSpace: 'pre-wrap',
            wordBreak: 'break-word',
          }}
        >
          {block.text}
        </pre>
      );
    case 'rule':
      return (
        <div
          style={{ margin: '20px 0', borderTop: `1px solid ${style.colours.line}`, fontSize: 0 }}
        />
      );
  }
}

function WrittenList({ firstNumber, items }: Extract<MailBlock, { kind: 'list' }>) {
  const style = useMailStyle();
  const { className, colours } = paint(style, { ink: 'bone' });
  const List = firstNumber === null ? 'ul' : 'ol';
  return (
    <List
      {...(firstNumber !== null && { start: firstNumber })}
      className={className}
      style={{
        ...colours,
        margin: '0 0 12px',
        padding: style.direction === 'rtl' ? '0 24px 0 0' : '0 0 0 24px',
        font: `400 17px/26px ${style.faces.text}`,
      }}
    >
      {items.map((blocks, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never again.
        <li key={index}>
          <Written blocks={blocks} />
        </li>
      ))}
    </List>
  );
}

function Words({ words }: { words: readonly MailWords[] }) {
  return words.map((one, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never again.
    <Fragment key={index}>
      <Word word={one} />
    </Fragment>
  ));
}

function Word({ word }: { word: MailWords }) {
  const style = useMailStyle();
  const { className, colours } = paint(style, { ink: 'afterglow' });
  switch (word.kind) {
    case 'text':
      return word.text;
    case 'code':
      return <span style={{ fontFamily: style.faces.mono }}>{word.text}</span>;
    case 'strong':
      return (
        <strong>
          <Words words={word.words} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Words words={word.words} />
        </em>
      );
    case 'link':
      return (
        <a
          href={word.href}
          className={className}
          style={{ ...colours, textDecoration: 'underline', wordBreak: 'break-word' }}
        >
          <Words words={word.words} />
        </a>
      );
    case 'break':
      return <br />;
  }
}
