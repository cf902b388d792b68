import { drawOrder, listTaking } from '../../../contract/drop/draw-order-rules.ts';
import type { Announcement } from '../../../contract/drop/draw-record.ts';
import { randomnessFrom } from '../../../contract/drop/randomness-rules.ts';
import { verifyDraw } from '../../../contract/drop/verify-draw-rules.ts';
import type { ChangeInput } from '../../../contract/operator/changes.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Applied, Operation } from '../../changes/operation.ts';
import type { Database, Reader } from '../../db/database.ts';
import type { DropRow } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import { conflict, invalidField } from '../../problem.ts';
import { changeOf, getDrop, lockDropIn, readNow, updateDrop } from '../drop-store.ts';
import { readEntered, writeOrder } from '../entrant-store.ts';
import { markDone } from '../schedule/schedule-store.ts';
import { countEntries, hurryEntries } from '../till/checkout-store.ts';
import { drawProblem } from '../till/entry-rules.ts';
import { readList } from './draw-record.ts';
import type { FetchRound } from './relays.ts';
import { assertCodes } from './start-offers.ts';

type Input = ChangeInput<'select-entrants'>;

/** Relays are asked for a signature that the input lacks, before the transaction. */
export function openSelectEntrants(
  database: Database,
  fetchRound: FetchRound,
): Operation<'select-entrants'> {
  return {
    isForOwners: true,
    lock: 'sizes',
    async read({ signature }): Promise<Input> {
      if (signature) return { signature };
      const drop = await getDrop(database);
      const randomness = drop.announcement?.randomness;
      const isDue = drop.state === 'frozen' && randomness?.source === 'quicknet';
      return isDue ? { signature: await fetchRound(randomness.round) } : {};
    },
    apply: (transaction, input, read: Input = input) => selectEntrants(transaction, read),
  };
}

async function selectEntrants(transaction: Transaction, { signature }: Input): Promise<Applied> {
  const drop = await lockDropIn(transaction, 'frozen');
  const { number, announcement } = drop;
  if (announcement === null) throw conflict(`The draw of drop ${number} is not announced yet.`);
  const reader = { kysely: transaction };
  // The round of a beacon is public at the announced time, whenever it is read.
  const isBound = announcement.randomness.source === 'quicknet';
  const late = isBound ? null : drawProblem(drop, await readNow(reader));
  if (late !== null) throw conflict(`${late} Close the drop, which releases all cards.`);
  const isByCard = drop.enter_until !== null;
  if (isByCard) await assertCodes(reader);
  const { evidence, randomness } = readEvidence(drop, announcement, signature);
  const list = await readList(reader, drop);
  const taking = { ...list, ...(await readEntered(reader, drop)) };
  const published = { list_hash: drop.list_hash ?? '', announcement_hash: drop.announcement_hash };
  const { problems } = verifyDraw({
    ...taking,
    ...published,
    announcement,
    evidence,
    order: null,
  });
  if (problems.length > 0)
    throw conflict(`The database was changed since the announcement. ${problems[0]}`);
  const order = drawOrder(listTaking(taking), announcement, randomness);
  await writeOrder(transaction, number, order);
  await updateDrop(transaction, number, {
    state: 'selected',
    selected_at: new Date(),
    evidence,
  });
  await hurryEntries(transaction, number);
  await markDone(transaction, number, 'select-entrants');
  const chosen = order.filter(({ size }) => size !== null).length;
  return changeOf(number, {
    sentences: [
      `${countOf(chosen, 'entrant is', 'entrants are')} chosen of ` +
        `${order.length.toLocaleString('en-US')}; the others follow in the draw order.`,
      'The order, the sizes and the randomness are public at once.',
      ...(isByCard ? [await describeEntries(reader, number)] : []),
    ],
    counts: { entrants: order.length, chosen },
    summary: `${countOf(chosen, 'entrant was', 'entrants were')} chosen for drop ${number}.`,
    details: { chosen, evidence },
  });
}

async function describeEntries(reader: Reader, number: number): Promise<string> {
  const { held } = await countEntries(reader, number);
  return (
    `${countOf(held, 'card holds', 'cards hold')} the price. Masks go along the draw order to ` +
    'these cards, which are charged at once; all others are released within the hour.'
  );
}

function readEvidence(
  { evidence: seed }: Pick<DropRow, 'evidence'>,
  { randomness: announced }: Announcement,
  signature = '',
): { evidence: string | null; randomness: string | null } {
  if (announced.source === 'none') return { evidence: null, randomness: null };
  const evidence = announced.source === 'seed' ? (seed ?? '') : signature.trim().toLowerCase();
  const randomness = randomnessFrom(announced, evidence);
  if (randomness === null)
    throw invalidField(
      announced.source === 'seed'
        ? 'The seed is not the one that was announced: the database was changed.'
        : `This is not the signature of round ${announced.round} of quicknet.`,
    );
  return { evidence, randomness };
}
