import { Allocations, MaskSizes } from '../../../contract/operator/masks.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { operatorRoutes } from '../../access/route-schemas.ts';
import type { Database } from '../../db/database.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { listAllocations, listSizes } from './store.ts';

const route = operatorRoutes('Masks');

export function addMaskRoutes(server: HttpServer, database: Database): void {
  server.get(
    operatorPaths.sizes,
    route('read', 'Stock, allocated and available masks per size', {
      response: { 200: MaskSizes },
    }),
    async () => ({ sizes: await listSizes(database) }),
  );

  server.get(
    operatorPaths.allocations,
    route('read', 'Masks set aside, newest first', { response: { 200: Allocations } }),
    async () => ({ allocations: await listAllocations(database) }),
  );
}
