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
} from '../../contract/operator/masks.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../contract/schemas.ts';
import type { Database } from '../db/database.ts';
import { allocateMasks, listAllocations, releaseMasks } from '../drop/allocations.ts';
import { removeSize, renameSize } from '../drop/edit-sizes.ts';
import type { Allocation as MaskAllocation } from '../drop/mask-size.ts';
import { listSizes } from '../drop/stock.ts';
import type { HttpServer } from '../http/http-server.ts';

const TAGS = ['Masks'];
const SIZE = Type.Object({ size: Type.String() });

export function addMaskRoutes(
  server: HttpServer,
  { database, brand }: { readonly database: Database; readonly brand: Brand },
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

  server.delete(
    operatorPaths.size,
    {
      config: { access: 'write' },
      schema: {
        tags: TAGS,
        summary: 'Remove a size that is no longer in brand.ts',
        params: SIZE,
        response: { 200: MaskSize, 409: ErrorBody, 422: ErrorBody },
      },
    },
    async ({ params }) => removeSize(database, { size: params.size, brand }),
  );

  server.post(
    operatorPaths.renameSize,
    {
      config: { access: 'write' },
      schema: {
        tags: TAGS,
        summary: 'Rename a size, with its stock and allocations',
        params: SIZE,
        body: RenameSizeRequest,
        response: { 200: MaskSize, 409: ErrorBody, ...REFUSED_BODY },
      },
    },
    async ({ params, body }) => renameSize(database, { size: params.size, to: body.name }),
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
    async () => ({ allocations: (await listAllocations(database)).map(viewAllocation) }),
  );

  server.post(
    operatorPaths.allocations,
    {
      config: { access: 'write' },
      schema: {
        tags: TAGS,
        summary: 'Set masks aside',
        body: AllocateRequest,
        response: { 201: Allocation, 409: ErrorBody, ...REFUSED_BODY },
      },
    },
    async ({ body }, reply) =>
      reply.code(201).send(viewAllocation(await allocateMasks(database, body))),
  );

  server.post(
    operatorPaths.release,
    {
      config: { access: 'write' },
      schema: {
        tags: TAGS,
        summary: 'Return masks that were set aside to the stock',
        params: Type.Object({ allocationId: Type.String() }),
        body: ReleaseRequest,
        response: { 200: Allocation, 409: ErrorBody, ...REFUSED_BODY },
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
