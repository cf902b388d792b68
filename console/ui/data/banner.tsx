import type { ReactNode } from 'react';

type BannerProps = {
  /** Charged: something works. Ember: something fails. Plain: news. */
  readonly tone?: 'plain' | 'charged' | 'ember';
  readonly action?: ReactNode;
  readonly children: ReactNode;
};

/** A line above a screen that holds until its cause is gone. */
export function Banner({ tone = 'plain', action, children }: BannerProps) {
  return (
    <div className={`banner banner-${tone}`} role="status">
      <p>{children}</p>
      {action}
    </div>
  );
}
