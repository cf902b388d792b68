import { useEffect, useState } from 'react';

/** False in the first render, which must match the served page. */
export function useHydrated(): boolean {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  return isHydrated;
}
