import { type ReactNode, useEffect } from 'react';
import { brand } from '../../brand/brand.ts';

type ScreenProps = {
  readonly title: string;
  readonly name?: string;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export function Screen({ title, name = title, note, actions, children }: ScreenProps) {
  useTitle(name);
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {note && <p className="quiet">{note}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

export function useTitle(screen: string): void {
  useEffect(() => {
    document.title = `${screen} · ${brand.name} console`;
  }, [screen]);
}
