import type { ReactNode } from 'react';

export type Bar = {
  readonly key: string;
  readonly label: ReactNode;
  readonly value: number;
  /** The value in words, such as "1,204 · 38%". */
  readonly shown: string;
};

/** Values to compare, longest first or in steps: sources, channels, a funnel. */
export function BarList({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const max = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <ul className="bar-list" aria-label={label}>
      {bars.map(({ key, label: name, value, shown }) => (
        <li key={key}>
          <span className="bar-name">{name}</span>
          <span className="bar-value">{shown}</span>
          <progress className="progress" aria-hidden="true" max={max} value={value} />
        </li>
      ))}
    </ul>
  );
}
