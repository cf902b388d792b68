import type { Scan, Verdict } from './door-rules.ts';

/** A scan keeps its id until its answer arrives: sent again, it hands over no second mask. */
export function createScanIds() {
  const unanswered = new Map<string, Scan>();
  return {
    scanOf: (code: string, drop: number | null): Scan => ({
      ...(unanswered.get(code) ?? { id: randomId(), code }),
      drop,
    }),
    settle(scan: Scan, { tone }: Pick<Verdict, 'tone'>): void {
      if (tone === 'unanswered') unanswered.set(scan.code, scan);
      else unanswered.delete(scan.code);
    },
  };
}

/** Pages without HTTPS have no `randomUUID`. */
function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
