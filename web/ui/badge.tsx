import type { ReactNode } from 'react';

export function Badge({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'charged';
  children: ReactNode;
}) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
