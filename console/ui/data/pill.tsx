import type { ReactNode } from 'react';

type PillProps = {
  /**
   * Charged: live or given. Edge: waiting. Ember: failed. Plain: over, or of no consequence.
   */
  readonly tone?: 'plain' | 'edge' | 'charged' | 'ember';
  readonly children: ReactNode;
};

/** A state in a word or two. The words carry it; the colour repeats them. */
export function Pill({ tone = 'plain', children }: PillProps) {
  return <span className={`pill pill-${tone}`}>{children}</span>;
}
