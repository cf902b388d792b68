import type { ChangeRequest, MadeChange } from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { post } from './queries.ts';

/** A change of many members answers when the last of them has joined, or left. */
export const SLOW_MS = 120_000;

export const makeChange = (body: ChangeRequest) =>
  post<MadeChange>(operatorPaths.changes, body, SLOW_MS);

export const undoChange = (change: number, reason: string) =>
  post<MadeChange>(fillPath(operatorPaths.undoChange, change), { reason }, SLOW_MS);
