import { type ReactNode, useId } from 'react';

type SectionProps = {
  readonly title: string;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export function Section({ title, note, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <header className="section-head">
        <h2 id={id}>{title}</h2>
        {note && <p className="quiet">{note}</p>}
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
