import { useEffect, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';

/** Leads to `path` after a while, in place of this page, unless the visitor stays or leaves before. */
export function useRedirect(path: string, delayMs: number): { isLeaving: boolean; stay: () => void } {
  const [isLeaving, setIsLeaving] = useState(true);

  useEffect(() => {
    if (!isLeaving) return;
    const timer = setTimeout(() => navigate(path, { replace: true }), delayMs);
    return () => clearTimeout(timer);
  }, [isLeaving, path, delayMs]);

  return { isLeaving, stay: () => setIsLeaving(false) };
}
