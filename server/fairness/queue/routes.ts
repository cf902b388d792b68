import { Type } from 'typebox';
import {
  CreditKinds,
  CreditQueue,
  CreditQueueRequest,
  HeldCredits,
  WaitingCredits,
} from '../../../contract/operator/credits/credits.ts';
import { FirstInLine, FirstRequest } from '../../../contract/operator/credits/first-in-line.ts';
import { FriendsRequest } from '../../../contract/operator/member-sheet.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody } from '../../../contract/schemas.ts';
import { operatorRoutes } from '../../access/route-schemas.ts';
import type { HttpServer } from '../../http/http-server.ts';
import type { CreditOptions } from '../decide-change.ts';
import { listFirst } from '../first/list-first.ts';
import { getKinds, listHeldCredits, listQueue } from './queue.ts';
import { countWaiting } from './queue-store.ts';

const route = operatorRoutes('Credits');

export function addCreditRoutes(server: HttpServer, options: CreditOptions): void {
  const { database } = options;

  server.get(
    operatorPaths.credits,
    route('read', 'Codes with held credits, in pages', {
      querystring: CreditQueueRequest,
      response: { 200: CreditQueue, 422: ErrorBody },
    }),
    ({ query }) => listQueue(options, query),
  );

  server.get(
    operatorPaths.creditsOfCode,
    route('read', 'The held credits of one code, in pages', {
      params: Type.Object({ memberId: Type.String({ description: 'Of the referrer' }) }),
      querystring: FriendsRequest,
      response: { 200: HeldCredits, 404: ErrorBody, 422: ErrorBody },
    }),
    ({ params, query }) =>
      listHeldCredits(options, { memberId: params.memberId, after: query.after }),
  );

  server.get(
    operatorPaths.firstInLine,
    route('read', 'The first of the line, with what their positions rest on', {
      querystring: FirstRequest,
      response: { 200: FirstInLine, 422: ErrorBody },
    }),
    ({ query }) => listFirst(options, query),
  );

  server.get(
    operatorPaths.waitingCredits,
    route('read', 'How many credits are held', { response: { 200: WaitingCredits } }),
    () => countWaiting(database),
  );

  server.get(
    operatorPaths.creditKinds,
    route('read', 'Why credits are held: the rules, with how many each', {
      response: { 200: CreditKinds },
    }),
    () => getKinds(database),
  );
}
