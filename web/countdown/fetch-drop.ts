import type { DropView } from '../../contract/drop/drop-views.ts';
import { apiPaths } from '../../contract/paths.ts';

export type ShownDrop = Partial<DropView> & { readonly receivedAt: number };

export async function fetchDrop(): Promise<ShownDrop | null> {
  const response = await fetch(apiPaths.drop);
  if (!response.ok) return null;
  const drop = (await response.json()) as Partial<DropView>;
  return { ...drop, receivedAt: performance.now() };
}
