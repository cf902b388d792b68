import type { ReactNode } from 'react';
import { Button } from './buttons.tsx';

type EmptyStateProps = {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
};

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="state">
      <p>{title}</p>
      {children && <p className="state-text">{children}</p>}
      {action}
    </div>
  );
}

type ErrorStateProps = {
  readonly title?: string;
  readonly message: string;
  readonly onRetry: () => void;
};

export function ErrorState({
  title = 'This could not be loaded',
  message,
  onRetry,
}: ErrorStateProps) {
  return (
    <div className="state state-error" role="alert">
      <p>{title}</p>
      <p className="state-text">{message}</p>
      <Button onClick={onRetry}>Retry</Button>
    </div>
  );
}

export function Skeleton({ lines = 3, label = 'Loading' }: { lines?: number; label?: string }) {
  return (
    <div className="skeleton">
      <span className="visually-hidden" role="status">
        {label}
      </span>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
        <i key={index} aria-hidden="true" />
      ))}
    </div>
  );
}

type BannerProps = {
  readonly tone?: 'plain' | 'charged' | 'ember';
  readonly action?: ReactNode;
  readonly children: ReactNode;
};

export function Banner({ tone = 'plain', action, children }: BannerProps) {
  return (
    <div className={`banner banner-${tone}`} role="status">
      <p>{children}</p>
      {action}
    </div>
  );
}
