import type { DropView } from '../../contract/drop/drop-views.ts';
import { apiPaths } from '../../contract/paths.ts';

/** A step with a time, and when by the clock of this page the server told the time. */
export type ShownStep = {
  readonly step: NonNullable<DropView['next_step']>;
  readonly now: string;
  readonly receivedAt: number;
};

/** Null when no time is public. Rejects when the server does not answer. */
export async function fetchNextStep(): Promise<ShownStep | null> {
  const response = await fetch(apiPaths.drop());
  if (!response.ok) return null;
  const { now, next_step: step } = (await response.json()) as Partial<DropView>;
  return step && now !== undefined ? { step, now, receivedAt: performance.now() } : null;
}
