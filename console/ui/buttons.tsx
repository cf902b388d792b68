import { Content, Portal, Provider, Root, Trigger } from '@radix-ui/react-tooltip';
import type { ComponentPropsWithRef, ReactElement, ReactNode } from 'react';

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

const DELAY_MS = 300;

export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Provider delayDuration={DELAY_MS}>{children}</Provider>;
}

export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  return (
    <Root>
      <Trigger asChild>{children}</Trigger>
      <Portal>
        <Content className="tooltip" sideOffset={6} collisionPadding={8}>
          {text}
        </Content>
      </Portal>
    </Root>
  );
}
