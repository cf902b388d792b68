import { useState } from 'react';
import { diffDigits } from './diff-digits.ts';
import { useCount } from './use-count.ts';
import { writeNumber } from './write-number.ts';

type DotNumberProps = {
  readonly value: number;
  /** The value that the visitor saw last: the digits count from it. */
  readonly from?: number | undefined;
  /** Stands still before the digits, such as "#". */
  readonly prefix?: string;
};

/**
 * A number in dot numerals, which the styles draw from attributes. Screen readers get a plain copy,
 * because they would read single digits as a list. As the digits count, each glows out behind the
 * next one.
 */
export function DotNumber({ value, from, prefix = '' }: DotNumberProps) {
  const count = useCount(value, from);
  const [shown, setShown] = useState<{ count: number; before: number | null }>({
    count,
    before: null,
  });
  // Not in an effect: the first render of the new count already knows the one before.
  if (shown.count !== count) setShown({ count, before: shown.count });
  const text = writeNumber(count);
  const before = shown.before === null ? null : writeNumber(shown.before);
  // As large as the longer one while it counts.
  const length = Math.max(...[value, count].map((number) => `${prefix}${number}`.length));

  return (
    <span className="dot-number" data-length={length}>
      <span className="visually-hidden">{prefix + writeNumber(value)}</span>
      <span aria-hidden="true">
        {prefix && <span className="dot-number-digit" data-digit={prefix} />}
        <span key={text}>
          {diffDigits(before, text).map(({ digit, was }, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a digit is identified by its index.
              key={index}
              className={before === null ? 'dot-number-digit digit-new' : 'dot-number-digit'}
              data-digit={digit}
              data-was={was ?? undefined}
            />
          ))}
        </span>
      </span>
    </span>
  );
}
