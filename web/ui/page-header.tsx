import type { ReactNode } from 'react';

type PageHeaderProps = {
  readonly name: string;
  readonly homePath: string;
  readonly children?: ReactNode;
};

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
