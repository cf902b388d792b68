/** Orders for a server that has watched-engine.ts preloaded. */
import { fileURLToPath } from 'node:url';

/** A statement that held up everybody for 20 ms or more, and what it spent its time on. */
export type SlowStatement = {
  readonly statement: string;
  readonly ms: number;
  readonly readMs: number;
  readonly writeMs: number;
  readonly syncMs: number;
  readonly syncs: number;
};

export type Order = {
  /** Moves the monotonic clock, so that work due in an hour is due now. */
  readonly advanceMs?: number;
  /** Run at once, beside whatever runs: only while nobody joins. */
  readonly sql?: string;
};

const PRELOADED = new URL('watched-engine.ts', import.meta.url);

/** Settings for a server that takes orders on this port. */
export function orderSettings(ordersPort: number): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=${fileURLToPath(PRELOADED)}`,
    BENCH_ORDERS_PORT: String(ordersPort),
  };
}

/** Gives an order, and returns the slow statements since the last one. */
export async function giveOrder(ordersPort: number, order: Order = {}): Promise<SlowStatement[]> {
  const response = await fetch(`http://127.0.0.1:${ordersPort}`, {
    method: 'POST',
    body: JSON.stringify(order),
  });
  if (!response.ok) throw new Error(`The order was refused: ${response.status}`);
  return (await response.json()) as SlowStatement[];
}
