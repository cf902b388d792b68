import type { ComponentPropsWithRef, ReactNode } from 'react';

type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';

type ButtonProps = ComponentPropsWithRef<'button'> & {
  /** Primary: the one charged action of a view. Danger: what takes something away. */
  readonly variant?: ButtonVariant;
  readonly icon?: ReactNode;
  /** At work: disabled, and shown so. */
  readonly isBusy?: boolean;
};

export function Button({
  variant = 'secondary',
  icon,
  isBusy = false,
  disabled,
  className = '',
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${variant} ${className}`}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
    >
      {icon}
      {children}
    </button>
  );
}
