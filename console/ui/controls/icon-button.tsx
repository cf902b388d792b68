import type { ComponentPropsWithRef, ReactNode } from 'react';
import { Tooltip } from '../layers/tooltip.tsx';

type IconButtonProps = Omit<ComponentPropsWithRef<'button'>, 'aria-label'> & {
  /** Its name, which the tooltip shows. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly isPressed?: boolean;
};

export function IconButton({ label, icon, isPressed, className = '', ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        {...rest}
        className={`icon-button ${className}`}
        aria-label={label}
        aria-pressed={isPressed}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
