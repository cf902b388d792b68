import type { Actor } from '../../access/actor.ts';

/** An id, never an address, because entries outlive a member. */
export type Subject = { readonly kind: string; readonly id: string };

export type AuditRecord = {
  readonly actor: Actor;
  readonly action: string;
  readonly subject: Subject | null;
  /** Null for access, such as a sign-in. */
  readonly reason: string | null;
  /** JSON without personal data; `summary` is a sentence in the past tense. */
  readonly details: Readonly<Record<string, unknown>> & { readonly summary: string };
};
