import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';

export type JoinRequest = {
  readonly email: string;
  readonly referredBy: string | null;
  readonly idempotencyKey: string | null;
};

export type JoinAnswer = {
  readonly statusCode: 201 | 409;
  /** The exact JSON bytes of the answer. */
  readonly body: string;
  /** Null with 409: who is already there is told to nobody. */
  readonly memberId: string | null;
};

export type JoinQueue = {
  join(request: JoinRequest): Promise<JoinAnswer>;
  close(): Promise<void>;
};

export function openJoinQueue(_options: { database: Database; brand: Brand }): JoinQueue {
  throw new Error('not written');
}
