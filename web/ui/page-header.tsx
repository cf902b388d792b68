import type { ReactNode } from 'react';

type PageHeaderProps = {
  readonly name: string;
  readonly homePath: string;
  readonly children?: ReactNode;
};

/** The name of the site as a link home, and its controls. */
export function PageHeader({ name, homePath, children }: PageHeaderProps) {
  return (
    <header className="page-header">
      <a className="wordmark" href={homePath}>
        {name}
      </a>
      <div className="header-actions">{children}</div>
    </header>
  );
}
