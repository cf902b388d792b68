import { useLayoutEffect, useRef, useState } from 'react';
import { writeNumber } from './write-number.ts';

type DotNumberProps = {
  readonly value: number;
  readonly from?: number | undefined;
  readonly prefix?: string;
};

/** Screen readers get a plain copy, because they would read single digits as a list. */
export function DotNumber({ value, from, prefix = '' }: DotNumberProps) {
  const count = useCount(value, from);
  const [shown, setShown] = useState<{ count: number; before: number | null }>({
    count,
    before: null,
  });
  // Set while rendering, so that the first render of a count has the one before.
  if (shown.count !== count) setShown({ count, before: shown.count });
  const text = writeNumber(count);
  const before = shown.before === null ? null : writeNumber(shown.before);
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

/** Duration of --decay-slow. */
const COUNT_MS = 1100;

/** Counts from the number shown before, or from `from` at first. In quiet mode it jumps. */
function useCount(value: number, from: number = value): number {
  const [shown, setShown] = useState(from);
  const last = useRef(from);

  // Runs before the paint, because quiet mode must not show the old number again.
  useLayoutEffect(() => {
    const start = last.current;
    if (start === value) return;
    let frame = 0;

    function show(next: number): void {
      last.current = next;
      setShown(next);
    }

    const startedAt = performance.now();
    function step(): void {
      const left = Math.max(0, 1 - (performance.now() - startedAt) / COUNT_MS);
      show(Math.round(value + (start - value) * left ** 3));
      if (left > 0) frame = requestAnimationFrame(step);
    }

    if ('quiet' in document.documentElement.dataset) show(value);
    else frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [value]);

  return shown;
}

/** `was` is the digit before; null without one or if it is the same. */
export type DigitChange = { readonly digit: string; readonly was: string | null };

export function diffDigits(before: string | null, now: string): DigitChange[] {
  return [...now].map((digit, index) => {
    const was = before?.at(index - now.length) ?? null;
    return { digit, was: was === digit ? null : was };
  });
}
