import type { Brand } from '../../brand/brand-shape.ts';
import type { Member } from '../../contract/schemas.ts';
import type { Database } from '../db/database.ts';

export type StatusReader = {
  getStatus(memberId: string): Promise<Member>;
  close(): Promise<void>;
};

export function openStatusReader(_options: { database: Database; brand: Brand }): StatusReader {
  throw new Error('not written');
}
