import { startTransition, useEffect, useState } from 'react';
import { endMissingCode, reportMissingCode } from '../../../missing-code.ts';

export type LateParts = typeof import('./late-parts.tsx');

/** null until they have arrived. `attempt`: each new value tries again. */
export function useLateParts(attempt: unknown): LateParts | null {
  const [parts, setParts] = useState<LateParts | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: offline, a later attempt may succeed.
  useEffect(() => {
    if (parts) return;
    import('./late-parts.tsx').then((loaded) => {
      endMissingCode();
      startTransition(() => setParts(loaded));
    }, reportMissingCode);
  }, [attempt, parts]);

  return parts;
}
