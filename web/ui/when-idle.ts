/** Returns a function that cancels. Safari has no requestIdleCallback. */
export function whenIdle(run: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = requestIdleCallback(run, { timeout: 3000 });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(run, 300);
  return () => clearTimeout(timer);
}

export const untilIdle = () => new Promise<void>((resolve) => whenIdle(resolve));
