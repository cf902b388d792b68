import { useEffect, useState } from 'react';

const PAUSE_MS = 250;

/** A value of a form once nobody is typing, so that not every letter asks the server. */
export function useSettled<T>(value: T): { readonly value: T; readonly isSettling: boolean } {
  const key = JSON.stringify(value);
  const [settled, setSettled] = useState({ key, value });
  const isSettling = settled.key !== key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the value.
  useEffect(() => {
    if (!isSettling) return;
    const timer = setTimeout(() => setSettled({ key, value }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key, isSettling]);
  return { value: settled.value, isSettling };
}
