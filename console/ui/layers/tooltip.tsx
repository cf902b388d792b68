import { Content, Portal, Provider, Root, Trigger } from '@radix-ui/react-tooltip';
import type { ReactElement, ReactNode } from 'react';

const DELAY_MS = 300;

/** Once, around everything that has tooltips. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Provider delayDuration={DELAY_MS}>{children}</Provider>;
}

type TooltipProps = {
  readonly text: ReactNode;
  /** One element that takes a ref. A tooltip adds to what it says and never replaces it. */
  readonly children: ReactElement;
};

export function Tooltip({ text, children }: TooltipProps) {
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
