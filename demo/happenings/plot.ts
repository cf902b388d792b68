import type { ChangeRequest, MadeChange } from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Join, Line } from '../play-joins.ts';
import { type Ask, OWNER, type Stage } from '../stage.ts';

export type Happening = { readonly agoMs: number; happen(): Promise<void> };

export type Receivers = { readonly newsletter: string; readonly shop: string };

export type Plot = {
  readonly stage: Stage;
  readonly line: Line;
  readonly join: Join;
  readonly receivers: Receivers;
};

export const SILENCED_EVERY = 40;
const MINUTE_MS = 60_000;

export const minutes = (count: number): number => count * MINUTE_MS;
export const hours = (count: number): number => minutes(60 * count);
export const days = (count: number): number => hours(24 * count);

export function operatorsOf({ stage }: Pick<Plot, 'stage'>) {
  return (agoMs: number, act: (ask: Ask) => Promise<unknown>, operator = OWNER): Happening => ({
    agoMs,
    happen: async () => void (await act(await stage.signIn(operator))),
  });
}

export function change(ask: Ask, request: ChangeRequest): Promise<MadeChange> {
  return ask('POST', operatorPaths.changes, request);
}
