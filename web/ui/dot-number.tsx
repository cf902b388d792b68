import { useState } from 'react';
import { settleDigits } from './settle-digits.ts';

type DotNumberProps = {
  readonly value: number;
  /** What the visitor saw here last: the digits settle from it. Left out, all of them light up. */
  readonly from?: number | undefined;
  /** Stands before the digits, say "#". */
  readonly prefix?: string;
};

/**
 * A number in dot numerals. Its text is a plain copy for screen readers, to whom single digits are a list; the digits are
 * drawn by the style sheet. Where a new value differs, the old digit glows out as the new one lights.
 */
export function DotNumber({ value, from, prefix = '' }: DotNumberProps) {
  const [shown, setShown] = useState({ value, before: from });
  // Not in an effect: the first picture of the new value already holds the old one.
  if (shown.value !== value) setShown({ value, before: shown.value });
  const text = `${prefix}${value}`;
  const before = shown.before === undefined ? null : `${prefix}${shown.before}`;

  return (
    <span className="dot-number" data-length={text.length}>
      <span className="visually-hidden">{text}</span>
      <span key={text} aria-hidden="true">
        {settleDigits(before, text).map(({ digit, was, isChanged }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a digit is its place.
            key={index}
            className={isChanged ? 'dot-number-digit digit-settling' : 'dot-number-digit'}
            data-digit={digit}
            data-was={was ?? undefined}
          />
        ))}
      </span>
    </span>
  );
}
