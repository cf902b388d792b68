import { randomBytes } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { hashList } from '../../../contract/drop/draw-hash-rules.ts';
import { describeFriends } from '../../../contract/friend-words.ts';
import type { ChangeInput } from '../../../contract/operator/changes.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { readHead } from '../../access/audit/audit-store.ts';
import { countOf } from '../../changes/count-words.ts';
import { assertNoLongChange } from '../../changes/long-changes.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Database, Reader } from '../../db/database.ts';
import type { DropRow } from '../../db/schema/feature-tables.ts';
import { inSnapshot } from '../../db/snapshot.ts';
import type { Transaction } from '../../db/transaction.ts';
import { HOUR_MS } from '../../durations.ts';
import { proveMailboxes } from '../../line/credits/prove-mailboxes.ts';
import { pauseJoining, reopenJoining } from '../../line/join/pause-joining.ts';
import { readTotal } from '../../line/store.ts';
import { registrableName } from '../../mail/mail-provider-rules.ts';
import { conflict, invalidField } from '../../problem.ts';
import { changeOf, getDrop, lockDropIn, readNow, updateDrop } from '../drop-store.ts';
import {
  countEntrants,
  deleteEntrants,
  type FirstMember,
  type FreezeMoves,
  insertEntrants,
  readFirst,
  readFreezeMoves,
  readHolders,
} from '../entrant-store.ts';
import { getNextFreeze, type NextFreeze } from '../schedule/schedule.ts';
import { describeTime } from '../schedule/schedule-rules.ts';
import { markDone } from '../schedule/schedule-store.ts';
import { readChosen } from '../till/account-store.ts';
import { releaseEntries } from '../till/checkout-store.ts';
import { USUAL_HOURS } from '../till/entry-rules.ts';
import { readList } from './draw-record.ts';
import { chooseEntrants, type Entering } from './entrant-rules.ts';

const SALT_BYTES = 16;

type Input = ChangeInput<'freeze-drop'>;
type Undo = { readonly hash: string; readonly hasPaused: boolean };

type Chosen = Entering<FirstMember> & {
  readonly frozenAt: Date;
  readonly lastEntry: number;
};

export function openFreezeDrop(database: Database): Operation<'freeze-drop'> {
  async function choose(transaction: Transaction, input: Input): Promise<Chosen> {
    await assertNoLongChange(transaction);
    const reader = { kysely: transaction };
    const { sequence: lastEntry } = await readHead(transaction);
    const frozenAt = await readNow(reader);
    const { number } = await getDrop(reader);
    const holders = input.holders_enter ? [] : await readHolders(reader, number);
    const terms = { first: input.first, holders, names: readNames(input.domains) };
    for (let first = terms.first; ; first *= 2) {
      const found = await readFirst(transaction, first);
      const entering = chooseEntrants(found, terms);
      if (entering.entrants.length === terms.first || found.length < first)
        return { ...entering, frozenAt, lastEntry };
    }
  }

  /** Chooses anew if an operator has changed something meanwhile, or an entrant has left. */
  async function writeEntrants(
    transaction: Transaction,
    number: number,
    { input, planned }: { readonly input: Input; readonly planned: Chosen },
  ): Promise<Chosen> {
    const write = ({ entrants }: Chosen) =>
      insertEntrants(transaction, number, { entrants, lossesCount: input.losses_count ?? false });
    if ((await readHead(transaction)).sequence === planned.lastEntry) {
      if ((await write(planned)) === planned.entrants.length) return planned;
      await deleteEntrants(transaction, number);
    }
    const chosen = await choose(transaction, input);
    await write(chosen);
    return chosen;
  }

  return {
    isForOwners: true,
    lock: 'line',
    triesUndoUnlocked: true,
    async read(input) {
      await proveMailboxes(database);
      return await inSnapshot(database, (snapshot) => choose(snapshot, input));
    },
    async apply(transaction, input, planned: Chosen, isPreview) {
      const { first, pause_message: message, losses_count: lossesCount = false, domains } = input;
      const hasPaused =
        message !== undefined && (await pauseJoining(transaction, { message })) === null;
      const { number, time_zone } = await lockDropIn(transaction, 'open');
      const chosen = await writeEntrants(transaction, number, { input, planned });
      const { entrants, frozenAt: frozen_at } = chosen;
      if (entrants.length === 0) throw conflict('Nobody in line has confirmed their address.');
      const reader = { kysely: transaction };
      const salt = randomBytes(SALT_BYTES).toString('hex');
      const hash = hashList(await readList(reader, { number, frozen_at, salt }));
      const cards = await readCards(reader, input, frozen_at);
      const kept = { state: 'frozen', frozen_at, salt, list_hash: hash } as const;
      await updateDrop(transaction, number, { ...kept, ...cards });
      const freeze = await getNextFreeze(reader);
      await markDone(transaction, number, 'freeze-drop');
      const counts = await countEntrants(reader, number);
      const undo: Undo = { hash, hasPaused };
      const settling = isPreview
        ? describeSettling(
            await readFreezeMoves(transaction, { number, first }),
            entrants.reduce((sum, { credits }) => sum + credits, 0),
            describePlan(freeze, frozen_at),
          )
        : [];
      return changeOf(number, {
        sentences: [
          ...describe(counts, await readTotal(reader), message),
          ...describeLeftOut(chosen),
          ...describeCards(cards, time_zone),
          ...(lossesCount
            ? [
                `${countOf(counts.with_losses, 'entrant has', 'entrants have')} lost drops, and ` +
                  'one more ticket in the draw for each.',
              ]
            : []),
          ...settling,
        ],
        counts,
        summary:
          `${countOf(counts.entrants, 'entrant was', 'entrants were')} frozen ` +
          `for drop ${number}.`,
        details: { list_hash: hash, ...counts, ...(domains && { domains }) },
        undo,
      });
    },
    async undo(transaction, { hash, hasPaused }: Undo, isTried) {
      const { number } = await (isTried ? lockFrozen : unfreezeDrop)(transaction, hash);
      if (hasPaused && !isTried) await reopenJoining(transaction);
      return { summary: `Drop ${number} is open again, without a list.` };
    },
  };
}

/** Throws Problem invalid_field. */
function readNames(domains: Input['domains'] = []): ReadonlySet<string> {
  return new Set(
    domains.map((domain) => {
      const ascii = domainToASCII(domain);
      if (ascii === '') throw invalidField(`${JSON.stringify(domain)} is no domain.`);
      return registrableName(ascii);
    }),
  );
}

async function readCards(reader: Reader, { cards }: Input, frozenAt: Date) {
  if (cards === undefined) return { enter_until: null };
  const { kind } = await readChosen(reader);
  if (kind !== 'stripe') throw conflict('Members enter by card where Stripe is the till.');
  const { hours = USUAL_HOURS, refuses_prepaid = false } = cards;
  const enter_until = new Date(frozenAt.getTime() + hours * HOUR_MS);
  return { enter_until, refuses_prepaid, entrants_told_to: 0, entrants_reminded_to: 0 };
}

function describeCards(
  { enter_until: until, refuses_prepaid = false }: Awaited<ReturnType<typeof readCards>>,
  timeZone: string,
): string[] {
  if (until === null) return [];
  return [
    `Entrants are mailed that they can enter by card until ${describeTime(until, timeZone)}: ` +
      'each card holds the price of a mask, and is one ticket. The draw comes after that.',
    ...(refuses_prepaid ? ['Prepaid cards are refused.'] : []),
  ];
}

/** Opens a frozen drop again, even after the undo has ended. A pause stays. */
export const unfreezeDropOperation: Operation<'unfreeze-drop'> = {
  isForOwners: true,
  lock: 'line',
  async apply(transaction) {
    const { number, list_hash } = await unfreezeDrop(transaction);
    return changeOf(number, {
      sentences: [
        `Drop ${number} is open again, and its list is deleted.`,
        'Its hash was public: the audit log keeps it. Joining stays as it is.',
      ],
      summary: `Drop ${number} was opened again, without a list.`,
      details: { list_hash },
    });
  },
};

async function lockFrozen(transaction: Transaction, hash?: string): Promise<DropRow> {
  const drop = await lockDropIn(transaction, 'frozen');
  if (drop.announced_at !== null)
    throw conflict(
      `The draw of drop ${drop.number} is announced: the list stays, or the drop is closed.`,
    );
  if (hash !== undefined && drop.list_hash !== hash)
    throw conflict(`Drop ${drop.number} was frozen again since.`);
  return drop;
}

async function unfreezeDrop(transaction: Transaction, hash?: string): Promise<DropRow> {
  const drop = await lockFrozen(transaction, hash);
  await deleteEntrants(transaction, drop.number);
  await releaseEntries(transaction, { number: drop.number, why: 'undone' });
  const reopened = { state: 'open', frozen_at: null, salt: null, list_hash: null } as const;
  await updateDrop(transaction, drop.number, { ...reopened, enter_until: null });
  return drop;
}

function describe(
  { entrants, doubted, held_credits, with_wish, heavier }: DropFacts['entrants'],
  members: number,
  message: string | undefined,
): string[] {
  return [
    `The first ${entrants === 1 ? 'member' : countOf(entrants, 'member')} of ` +
      `${members.toLocaleString('en-US')} ${entrants === 1 ? 'is' : 'are'} frozen, ` +
      'in the order that they have now.',
    doubted === 0
      ? 'None of them has a held credit.'
      : `${countOf(doubted, 'of them has', 'of them have')} ` +
        `${countOf(held_credits, 'held credit')}, which do not count: decide about them first.`,
    `${countOf(with_wish, 'entrant')} named sizes; the others take any.`,
    `${countOf(heavier, 'entrant weighs', 'entrants weigh')} more than one ticket in the draw.`,
    message === undefined
      ? 'Joins go on, behind the frozen list.'
      : `Joining is paused. The site and the API answer: ${message}`,
    'The list of tickets and its hash are public at once.',
  ];
}

function describeLeftOut({ sharing, holding, crowding }: Chosen): string[] {
  const names = [...crowding].sort(([, a], [, b]) => b - a);
  const crowded = names.reduce((sum, [, members]) => sum + members, 0);
  const domains = names.map(([name, members]) => `${members.toLocaleString('en-US')} of ${name}`);
  const reasons = [
    [sharing, 'their mailbox is that of a member ahead of them, in another spelling.'],
    [holding, 'they hold a mask of an earlier drop.'],
    [
      crowded,
      'a domain that is no known mail provider has two tickets, unless you allow it: ' +
        `${listSome(domains)}.`,
    ],
  ] as const;
  return reasons
    .filter(([members]) => members > 0)
    .map(([members, why]) => `${countOf(members, 'member is', 'members are')} left out: ${why}`);
}

const NAMED = 10;

function describeSettling(
  { moved, entering, leaving, joined, confirmed }: FreezeMoves,
  settled: number,
  plan: readonly string[],
): string[] {
  const friends = describeFriends({
    joined_referrals: joined,
    confirmed_referrals: confirmed,
    settled_referrals: settled,
  });
  return [
    'Only members and friends who have confirmed their address count.',
    `The list has ${friends || 'no friends'}: ` +
      `${countOf(moved, 'position differs', 'positions differ')} from the line.`,
    ...(entering.length === 0 ? [] : [`Moved into the list: ${listSome(entering)}.`]),
    ...(leaving.length === 0 ? [] : [`Moved out of the list: ${listSome(leaving)}.`]),
    ...plan,
  ];
}

function describePlan({ publicAt: at, timeZone }: NextFreeze, now: Date): string[] {
  if (at === null)
    return [
      'The site has not shown a time for this: members did not know when friends must confirm.',
    ];
  if (at <= now) return [];
  const until = describeTime(at, timeZone);
  return [
    `The site says it is on ${until}: friends who confirm between now and then would not count.`,
  ];
}

function listSome(names: readonly string[]): string {
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
