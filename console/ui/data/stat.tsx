import type { ReactNode } from 'react';

type StatProps = {
  readonly label: string;
  /** undefined: on its way. */
  readonly value: ReactNode | undefined;
  readonly note?: ReactNode;
  readonly isCharged?: boolean;
};

/** One number with its name. Put several into a StatRow. */
export function Stat({ label, value, note, isCharged = false }: StatProps) {
  return (
    <div className="stat">
      <dt className="label">{label}</dt>
      <dd className={`stat-value ${isCharged ? 'charged' : ''}`}>
        {value ?? <i className="stat-skeleton" aria-hidden="true" />}
      </dd>
      {note !== undefined && <dd className="stat-note">{note}</dd>}
    </div>
  );
}

export function StatRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label}>
      <dl className="stat-row">{children}</dl>
    </section>
  );
}
