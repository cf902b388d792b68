import { useState } from 'react';
import { diffDigits } from './diff-digits.ts';

type DotNumberProps = {
  readonly value: number;
  /** The value that the visitor saw last: only digits that differ light up. Absent: all do. */
  readonly from?: number | undefined;
  /** Shown before the digits, such as "#". */
  readonly prefix?: string;
};

/**
 * A number in dot numerals, which the styles draw from attributes. Screen readers get a plain copy,
 * because they would read single digits as a list. A changed digit glows out as the new one lights.
 */
export function DotNumber({ value, from, prefix = '' }: DotNumberProps) {
  const [shown, setShown] = useState({ value, before: from });
  // Not in an effect: the first render of the new value already knows the old one.
  if (shown.value !== value) setShown({ value, before: shown.value });
  const text = `${prefix}${value}`;
  const before = shown.before === undefined ? null : `${prefix}${shown.before}`;

  return (
    <span className="dot-number" data-length={text.length}>
      <span className="visually-hidden">{text}</span>
      <span key={text} aria-hidden="true">
        {diffDigits(before, text).map(({ digit, was, isChanged }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a digit is identified by its index.
            key={index}
            className={isChanged ? 'dot-number-digit digit-changed' : 'dot-number-digit'}
            data-digit={digit}
            data-was={was ?? undefined}
          />
        ))}
      </span>
    </span>
  );
}
