/** Keys at which pages of lists end, as text for addresses. Times are microseconds since 1970. */
import { invalidField, type Problem } from '../problem.ts';

export type WaitingKey =
  | { readonly source: 'queue'; readonly us: number; readonly id: string }
  | { readonly source: 'outbox'; readonly sequence: number; readonly ordinal: number };

export type EndedKey = { readonly us: number; readonly id: string };

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const HASH = '[\\w-]{43}';
const NUMBER = '\\d{1,15}|[1-8]\\d{15}';

const ID = new RegExp(`^${UUID}$`);
const QUEUED = new RegExp(`^queue\\.(${NUMBER})\\.(${UUID})$`);
const BATCHED = new RegExp(`^outbox\\.(${NUMBER})\\.(${NUMBER})$`);
const ENDED = {
  failed: new RegExp(`^(${NUMBER})\\.(${UUID})$`),
  suppressed: new RegExp(`^(${NUMBER})\\.(${HASH})$`),
} as const;

export function writeWaitingKey(key: WaitingKey): string {
  return key.source === 'queue'
    ? `queue.${key.us}.${key.id}`
    : `outbox.${key.sequence}.${key.ordinal}`;
}

export function readWaitingKey(text: string): WaitingKey {
  const [, us, id = ''] = QUEUED.exec(text) ?? [];
  if (us !== undefined) return { source: 'queue', us: Number(us), id };
  const [, sequence, ordinal] = BATCHED.exec(text) ?? [];
  if (sequence === undefined) throw unknownKey();
  return { source: 'outbox', sequence: Number(sequence), ordinal: Number(ordinal) };
}

export function writeEndedKey({ us, id }: EndedKey): string {
  return `${us}.${id}`;
}

export function readEndedKey(text: string, list: 'failed' | 'suppressed'): EndedKey {
  const [, us, id = ''] = ENDED[list].exec(text) ?? [];
  if (us === undefined) throw unknownKey();
  return { us: Number(us), id };
}

export function readIdKey(text: string): string {
  if (!ID.test(text)) throw unknownKey();
  return text;
}

/** Cuts `rows`, read with one more than `limit`; `next` is the key of the next page. */
export function pageOf<Row, Key>(
  rows: readonly Row[],
  limit: number,
  keyOf: (last: Row) => Key,
): { shown: Row[]; next: Key | null } {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { shown, next: last === undefined ? null : keyOf(last) };
}

export function unknownKey(): Problem {
  return invalidField('The field "after" must be the "next" of a page of the same list.');
}
