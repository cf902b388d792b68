import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';

export type LineVerification = {
  readonly members: number;
  /** One sentence for each kind of difference found; empty when all is well. */
  readonly differences: string[];
};

export async function verifyLine(_database: Database, _brand: Brand): Promise<LineVerification> {
  throw new Error('not written');
}
