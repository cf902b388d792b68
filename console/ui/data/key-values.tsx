import { Fragment, type ReactNode } from 'react';

/** What is known about one thing. A value of null is a dash. */
export function KeyValues({ entries }: { entries: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="key-values">
      {entries.map(([key, value]) => (
        <Fragment key={key}>
          <dt>{key}</dt>
          <dd>{value ?? <span className="quiet">—</span>}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
