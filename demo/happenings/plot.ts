/** What a happening of the demo is told, and when it is. */
import type { Join, Line } from '../play-joins.ts';
import type { Stage } from '../stage.ts';

export type Happening = { readonly agoMs: number; happen(): Promise<void> };

/** URLs that webhooks call. */
export type Receivers = { readonly newsletter: string; readonly shop: string };

export type Plot = {
  readonly stage: Stage;
  readonly line: Line;
  /** Without mail. */
  readonly join: Join;
  readonly receivers: Receivers;
};

const MINUTE_MS = 60_000;

export const minutes = (count: number): number => count * MINUTE_MS;
export const hours = (count: number): number => minutes(60 * count);
export const days = (count: number): number => hours(24 * count);
