import { Allocations, MaskSizes } from '../../../contract/operator/masks.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { Database } from '../../db/database.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { listAllocations, listSizes } from './store.ts';

const TAGS = ['Masks'];

export function addMaskRoutes(
  server: HttpServer,
  { database }: { readonly database: Database },
): void {
  server.get(
    operatorPaths.sizes,
    {
      config: { access: 'read' },
      schema: {
        tags: TAGS,
        summary: 'Stock, allocated and available masks per size',
        response: { 200: MaskSizes },
      },
    },
    async () => ({ sizes: await listSizes(database) }),
  );

  server.get(
    operatorPaths.allocations,
    {
      config: { access: 'read' },
      schema: {
        tags: TAGS,
        summary: 'Masks set aside, newest first',
        response: { 200: Allocations },
      },
    },
    async () => ({ allocations: await listAllocations(database) }),
  );
}
