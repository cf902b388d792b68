/** Calls about sizes, stock and allocations. */
import { queryOptions } from '@tanstack/react-query';
import type { Allocations, MaskSizes } from '../../contract/operator/masks.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { request } from './request.ts';

export const sizesQuery = queryOptions({
  queryKey: ['masks', 'sizes'],
  queryFn: ({ signal }) => request<MaskSizes>({ path: operatorPaths.sizes, signal }),
});

export const allocationsQuery = queryOptions({
  queryKey: ['masks', 'allocations'],
  queryFn: ({ signal }) => request<Allocations>({ path: operatorPaths.allocations, signal }),
});
