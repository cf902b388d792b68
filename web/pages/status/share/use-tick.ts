import { useEffect, useState } from 'react';

/** SPEC 9 */
const COPY_TICK_MS = 2000;

/** A tick that shows for two seconds; showing it again starts them anew. */
export function useTick(): { isShown: boolean; show: () => void } {
  const [shows, setShows] = useState(0);

  useEffect(() => {
    if (shows === 0) return;
    const timer = setTimeout(() => setShows(0), COPY_TICK_MS);
    return () => clearTimeout(timer);
  }, [shows]);

  return { isShown: shows > 0, show: () => setShows((count) => count + 1) };
}
