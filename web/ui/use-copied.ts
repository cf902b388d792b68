import { useEffect, useState } from 'react';

/** Duration of the copy tick: docs/behaviour.md 9. */
const COPY_TICK_MS = 2000;

export function useCopied(): { isRaised: boolean; raise: () => void } {
  const [raises, setRaises] = useState(0);

  useEffect(() => {
    if (raises === 0) return;
    const timer = setTimeout(() => setRaises(0), COPY_TICK_MS);
    return () => clearTimeout(timer);
  }, [raises]);

  return { isRaised: raises > 0, raise: () => setRaises((count) => count + 1) };
}
