import { type DependencyList, useEffect } from 'react';

/** Work starts in a microtask, so an effect that StrictMode undoes at once starts nothing. */
export function useAsyncEffect(
  start: (signal: AbortSignal) => Promise<void>,
  dependencies: DependencyList,
): void {
  useEffect(
    () => {
      const cleanUp = new AbortController();
      queueMicrotask(() => {
        if (!cleanUp.signal.aborted) void start(cleanUp.signal);
      });
      return () => cleanUp.abort();
    },
    // biome-ignore lint/correctness/useExhaustiveDependencies: checked where this hook is called.
    dependencies,
  );
}
