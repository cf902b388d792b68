import { useEffect, useState } from 'react';

export function useTemporaryFlag(durationMs: number): { isRaised: boolean; raise: () => void } {
  const [raises, setRaises] = useState(0);

  useEffect(() => {
    if (raises === 0) return;
    const timer = setTimeout(() => setRaises(0), durationMs);
    return () => clearTimeout(timer);
  }, [raises, durationMs]);

  return { isRaised: raises > 0, raise: () => setRaises((count) => count + 1) };
}
