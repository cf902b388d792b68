import { type ReactNode, useEffect } from 'react';
import { brand } from '../../brand/brand.ts';
import { PageHeader } from '../ui/frame.tsx';

type ScreenProps = {
  readonly title: string;
  /** In the title of the tab, such as "Stock · Ghost Code console"; `title` by default. */
  readonly name?: string;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export function Screen({ title, name = title, note, actions, children }: ScreenProps) {
  useTitle(name);
  return (
    <>
      <PageHeader {...{ title, note, actions }} />
      {children}
    </>
  );
}

export function useTitle(screen: string): void {
  useEffect(() => {
    document.title = `${screen} · ${brand.name} console`;
  }, [screen]);
}
