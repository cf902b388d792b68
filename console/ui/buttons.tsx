import type { ComponentPropsWithRef, ReactNode } from 'react';
import { Tooltip } from './tooltip.tsx';

export type ButtonProps = ComponentPropsWithRef<'button'> & {
  readonly variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly icon?: ReactNode;
  readonly isBusy?: boolean;
};

export function Button({
  variant = 'secondary',
  icon,
  isBusy = false,
  disabled,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${variant}`}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
    >
      {icon}
      {children && <span>{children}</span>}
    </button>
  );
}

type IconButtonProps = Omit<ComponentPropsWithRef<'button'>, 'aria-label'> & {
  readonly label: string;
  readonly icon: ReactNode;
};

export function IconButton({ label, icon, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button type="button" {...rest} className="icon-button" aria-label={label}>
        {icon}
      </button>
    </Tooltip>
  );
}
