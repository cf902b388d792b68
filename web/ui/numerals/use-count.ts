import { useLayoutEffect, useRef, useState } from 'react';

/** As long as light takes to decay: --decay-slow. */
const COUNT_MS = 1100;

/**
 * The number to show: counts from the one shown before, or from `from` at first, up or down to
 * `value`. In quiet mode it is `value` at once.
 */
export function useCount(value: number, from: number = value): number {
  const [shown, setShown] = useState(from);
  const last = useRef(from);

  // Before the paint: without motion the number before must not be seen again.
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
