import { FirstInLine, FirstRequest } from '../../../contract/operator/first-in-line.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody } from '../../../contract/schemas.ts';
import { operatorRoutes } from '../../access/route-schemas.ts';
import type { HttpServer } from '../../http/http-server.ts';
import type { CreditOptions } from '../decide-change.ts';
import { listFirst } from './list-first.ts';

const route = operatorRoutes('Credits');

export function addFirstRoutes(server: HttpServer, options: CreditOptions): void {
  server.get(
    operatorPaths.firstInLine,
    route('read', 'The first of the line, with what their positions rest on', {
      querystring: FirstRequest,
      response: { 200: FirstInLine, 422: ErrorBody },
    }),
    ({ query }) => listFirst(options, query),
  );
}
