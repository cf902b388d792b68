import type { ReactNode } from 'react';

type PageHeaderProps = {
  readonly title: string;
  /** One line about what is shown. */
  readonly note?: ReactNode;
  /** Buttons, the main one last. */
  readonly actions?: ReactNode;
};

export function PageHeader({ title, note, actions }: PageHeaderProps) {
  return (
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        {note && <p className="quiet">{note}</p>}
      </div>
      {actions && <div className="page-actions">{actions}</div>}
    </header>
  );
}
