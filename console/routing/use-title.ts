import { useEffect } from 'react';
import { brand } from '../../brand/brand.ts';

/** The title of the tab: "Stock · Ghost Code console". */
export function useTitle(screen: string): void {
  useEffect(() => {
    document.title = `${screen} · ${brand.name} console`;
  }, [screen]);
}
