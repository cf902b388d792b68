/** The operator's calls about stock and allocations. */
import { Type } from 'typebox';
import type { Brand } from '../../brand/brand-shape.ts';
import {
  AllocateRequest,
  Allocation,
  Allocations,
  MaskSize,
  MaskSizes,
  ReleaseRequest,
  RenameSizeRequest,
  SetStockRequest,
} from '../../contract/operator/masks.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Database } from '../db/database.ts';
import { allocateMasks, listAllocations, releaseMasks } from '../drop/allocations.ts';
import { removeSize, renameSize } from '../drop/edit-sizes.ts';
import type { Allocation as MaskAllocation } from '../drop/mask-size.ts';
import { listSizes, setStock } from '../drop/stock.ts';
import type { HttpServer } from '../http/http-server.ts';

const SIZE = Type.Object({ size: Type.String() });

export function addMaskRoutes(
  server: HttpServer,
  { database, brand }: { readonly database: Database; readonly brand: Brand },
): void {
  server.get(
    operatorPaths.sizes,
    { schema: { hide: true, response: { 200: MaskSizes } } },
    async () => ({ sizes: await listSizes(database) }),
  );

  server.put(
    operatorPaths.size,
    {
      schema: {
        hide: true,
        params: SIZE,
        body: SetStockRequest,
        response: { 200: MaskSize },
      },
    },
    async ({ params, body }) =>
      setStock(database, { size: params.size, stock: body.stock, maskCount: brand.maskCount }),
  );

  server.delete(
    operatorPaths.size,
    { schema: { hide: true, params: SIZE, response: { 200: MaskSize } } },
    async ({ params }) => removeSize(database, { size: params.size, brand }),
  );

  server.post(
    operatorPaths.renameSize,
    { schema: { hide: true, params: SIZE, body: RenameSizeRequest, response: { 200: MaskSize } } },
    async ({ params, body }) => renameSize(database, { size: params.size, to: body.name }),
  );

  server.get(
    operatorPaths.allocations,
    { schema: { hide: true, response: { 200: Allocations } } },
    async () => ({ allocations: (await listAllocations(database)).map(viewAllocation) }),
  );

  server.post(
    operatorPaths.allocations,
    { schema: { hide: true, body: AllocateRequest, response: { 201: Allocation } } },
    async ({ body }, reply) =>
      reply.code(201).send(viewAllocation(await allocateMasks(database, body))),
  );

  server.post(
    operatorPaths.release,
    {
      schema: {
        hide: true,
        params: Type.Object({ allocationId: Type.String() }),
        body: ReleaseRequest,
        response: { 200: Allocation },
      },
    },
    async ({ params: { allocationId }, body: { note } }) =>
      viewAllocation(await releaseMasks(database, { allocationId, note })),
  );
}

function viewAllocation(allocation: MaskAllocation): Allocation {
  return {
    id: allocation.id,
    size: allocation.size,
    quantity: allocation.quantity,
    note: allocation.note,
    allocated_at: allocation.allocatedAt,
    released_at: allocation.releasedAt,
    release_note: allocation.releaseNote,
  };
}
