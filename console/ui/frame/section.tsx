import { type ReactNode, useId } from 'react';

/** A part of a screen below its own heading. */
export function Section({
  title,
  note,
  actions,
  children,
}: {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <header className="section-head">
        <h2 id={id}>{title}</h2>
        {note && <p className="quiet">{note}</p>}
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
