import { queryOptions } from '@tanstack/react-query';
import type {
  AuditPage,
  ChangePreview,
  ChangeRequest,
  Joining,
  MadeChange,
  WantedChange,
} from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { post, read, readPages, withQuery } from './queries.ts';

/** A change of many members answers when the last of them has joined, or left. */
const SLOW_MS = 120_000;

export const previewQuery = (want: WantedChange | null) =>
  queryOptions({
    ...read<ChangePreview>({
      path: operatorPaths.previewChange,
      method: 'POST',
      body: want,
      timeoutMs: SLOW_MS,
    }),
    // Another operator may act at any time.
    staleTime: 0,
    gcTime: 0,
  });

export const makeChange = (body: ChangeRequest) =>
  post<MadeChange>(operatorPaths.changes, body, SLOW_MS);

export const undoChange = (change: number, reason: string) =>
  post<MadeChange>(fillPath(operatorPaths.undoChange, String(change)), { reason }, SLOW_MS);

export const auditQuery = readPages<AuditPage>((before) =>
  withQuery(operatorPaths.changes, { before }),
);

export const joiningQuery = read<Joining>(operatorPaths.joining);
