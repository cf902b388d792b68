import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';

/** Shown where there is nothing to list. `action`: what a person can do about it. */
export function EmptyFace({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="face">
      <p className="face-title">{title}</p>
      {children && <p className="face-text">{children}</p>}
      {action}
    </div>
  );
}

/** Shown in place of content that could not be loaded. */
export function ErrorFace({
  title = 'This could not be loaded',
  message,
  onRetry,
}: {
  title?: string;
  message: string;
  onRetry?: () => void;
}) {
  return (
    <div className="face face-error" role="alert">
      <p className="face-title">{title}</p>
      <p className="face-text">{message}</p>
      {onRetry && <Button onClick={onRetry}>Retry</Button>}
    </div>
  );
}
