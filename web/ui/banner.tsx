import type { ReactNode } from 'react';

export function Banner({ tone, children }: { tone: 'charged' | 'plain'; children: ReactNode }) {
  return <div className={`banner banner-${tone}`}>{children}</div>;
}
