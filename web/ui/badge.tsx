import type { ReactNode } from 'react';

type BadgeProps = { readonly tone?: 'plain' | 'charged'; readonly children: ReactNode };

export function Badge({ tone = 'plain', children }: BadgeProps) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
