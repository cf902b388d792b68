import type {
  CreditKinds,
  CreditQueue,
  HeldCredits,
  WaitingCredits,
} from '../../contract/operator/credits/credits.ts';
import type { FirstInLine } from '../../contract/operator/credits/first-in-line.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { read, readPages, withQuery } from './queries.ts';

const REFRESH_MS = 60_000;

type QueueFilter = Readonly<Record<'rule' | 'second_look' | 'on_hold', string>>;

export const creditQueueQuery = (filter: QueueFilter) =>
  readPages<CreditQueue>((after) => withQuery(operatorPaths.credits, { ...filter, after }));

export const heldCreditsQuery = (memberId: string) =>
  readPages<HeldCredits>((after) =>
    withQuery(fillPath(operatorPaths.creditsOfCode, memberId), { after }),
  );

export const waitingCreditsQuery = read<WaitingCredits>(operatorPaths.waitingCredits, REFRESH_MS);

export const creditKindsQuery = read<CreditKinds>(operatorPaths.creditKinds);

export const firstInLineQuery = read<FirstInLine>(operatorPaths.firstInLine);
