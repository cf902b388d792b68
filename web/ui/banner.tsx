import type { ReactNode } from 'react';

/** One line at the top of a page. Charged: something works in the visitor's favour. */
export function Banner({ tone, children }: { tone: 'charged' | 'plain'; children: ReactNode }) {
  return <div className={`banner banner-${tone}`}>{children}</div>;
}
