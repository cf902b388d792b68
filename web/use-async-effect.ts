import { type DependencyList, useEffect } from 'react';

/** Work starts in a task of its own: all effects in one would keep a slow phone busy. */
export function useAsyncEffect(
  start: (signal: AbortSignal) => Promise<void>,
  dependencies: DependencyList,
): void {
  useEffect(
    () => {
      const cleanUp = new AbortController();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        if (!cleanUp.signal.aborted) void start(cleanUp.signal);
      };
      port2.postMessage(0);
      return () => cleanUp.abort();
    },
    // biome-ignore lint/correctness/useExhaustiveDependencies: checked where this hook is called.
    dependencies,
  );
}
