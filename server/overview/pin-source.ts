import { SOURCE_FIELDS } from '../../contract/sources.ts';
import type { Transaction } from '../db/transaction.ts';
import { readSource, type Source } from '../line/sources/source-rules.ts';
import { writePin } from '../line/sources/source-store.ts';
import { conflict, invalidField } from '../problem.ts';

type Undo = { readonly source: Source };

const pinning = (isPinned: boolean) => ({
  lock: 'line' as const,
  apply: (transaction: Transaction, { source }: { readonly source: string }) =>
    apply(transaction, readNamed(source), isPinned),
  undo: (transaction: Transaction, { source }: Undo) => undo(transaction, source, isPinned),
});

export const pinOperations = { 'pin-source': pinning(true), 'unpin-source': pinning(false) };

async function apply(transaction: Transaction, source: Source, isPinned: boolean) {
  const name = nameOf(source);
  const id = await writePin(transaction, source, isPinned);
  if (id === null) throw conflict(`"${name}" is ${isPinned ? 'pinned already' : 'not pinned'}.`);
  const undone: Undo = { source };
  return {
    sentences: [
      isPinned
        ? `Visits by "${name}" are always counted apart.`
        : `Visits by "${name}" are counted apart as long as there is room.`,
    ],
    summary: `The source "${name}" was ${isPinned ? 'pinned' : 'unpinned'}.`,
    subject: { kind: 'source', id: String(id) },
    undo: undone,
  };
}

async function undo(transaction: Transaction, source: Source, wasPinned: boolean) {
  const { summary } = await apply(transaction, source, !wasPinned);
  return { summary };
}

function readNamed(text: string): Source {
  const parameters = new URLSearchParams(text.slice(text.indexOf('?') + 1));
  const source = readSource(parameters, '');
  if (source === null)
    throw invalidField(
      'Please name the source as a link does, such as utm_source=fair&utm_medium=flyer.',
    );
  const unkept = SOURCE_FIELDS.find((field) => parameters.get(field) && source[field] === '');
  if (unkept !== undefined)
    throw invalidField(`The value of ${unkept} is not kept when a link brings it.`);
  return source;
}

function nameOf(source: Source): string {
  return SOURCE_FIELDS.map((field) => source[field])
    .filter(Boolean)
    .join(' / ');
}
