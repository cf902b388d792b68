/** Decisions about credits, and their undo, made on the server and on the model. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import { inTransaction, lock, type Transaction } from '../../server/db/transaction.ts';
import {
  type Decided,
  type DecidedCredit,
  type Decision,
  decideCredits,
  undoDecision,
} from '../../server/line/credits/credit-store.ts';
import { previewDecision } from '../../server/line/credits/decision-effects.ts';
import type { LineModel, ModelCredit, ModelMember } from './model.ts';

export type CreditStep = { kind: 'decide' } & (
  | {
      undo: false;
      friends: number[];
      state: Decision['state'];
      alsoDecided: boolean;
    }
  | { undo: true; which: number }
);

const kind = fc.constant('decide' as const);

export const creditStep: fc.Arbitrary<CreditStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind,
      undo: fc.constant(false as const),
      friends: fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 12 }),
      state: fc.constantFrom('given' as const, 'held' as const, 'refused' as const),
      alsoDecided: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind, undo: fc.constant(true as const), which: fc.nat(3) }),
  },
);

type Case = Pick<ModelMember, 'decidedBy'>;
type Change = {
  readonly friend: ModelMember;
  readonly before: Case & { readonly credit: ModelCredit };
  readonly after: ModelCredit;
  /** The decision before: with the undo, that one can be undone again. */
  readonly last: Decided | undefined;
};
type Told = { readonly decided: Decided; readonly changes: readonly Change[] };

const byFriend = (one: DecidedCredit, other: DecidedCredit) =>
  one.friend_id < other.friend_id ? -1 : 1;

export class CreditHistory {
  readonly #database: Database;
  readonly #model: LineModel;
  readonly #everybody: readonly ModelMember[];
  readonly #told: Told[] = [];
  /** The decision that each friend's case is from: others are not undone. */
  readonly #last = new Map<ModelMember, Decided>();

  constructor(database: Database, model: LineModel, everybody: readonly ModelMember[]) {
    this.#database = database;
    this.#model = model;
    this.#everybody = everybody;
  }

  async take(step: CreditStep): Promise<void> {
    if (step.undo) await this.#undo(step.which);
    else await this.#decide(step);
  }

  async #decide(step: Extract<CreditStep, { undo: false }>): Promise<void> {
    const friends = step.friends.flatMap((number) => this.#everybody[number] ?? []);
    const decision = {
      friendIds: friends.map(({ id }) => id),
      state: step.state,
      needsConfirmation: this.#model.credit === 'confirm',
      alsoDecided: step.alsoDecided,
    };
    const before = this.#model.inOrder();
    const { decided, effects } = await this.#act(async (transaction) => {
      const effects = await previewDecision(transaction, decision, { tiers: [], maskCount: 100 });
      return { effects, decided: await decideCredits(transaction, effects) };
    });
    const changes = friends.flatMap((friend) => this.#change(friend, decision) ?? []);
    expect(decided.decided.map(({ friend_id: id, after }) => [id, after]).sort()).toEqual(
      changes.map(({ friend, after }) => [friend.id, after]).sort(),
    );
    // Friends who joined within a millisecond have ids in no order of the line.
    expect(effects.decided.toSorted(byFriend)).toEqual(decided.decided.toSorted(byFriend));
    const after = this.#model.inOrder();
    expect(effects.moved).toBe(before.filter((each, index) => after[index] !== each).length);
    for (const { friend } of changes) this.#last.set(friend, decided);
    if (changes.length > 0) this.#told.push({ decided, changes });
  }

  /** Null: the decision is not about this friend. */
  #change(friend: ModelMember, decision: Decision): Change | null {
    if (!this.#hasCredit(friend)) return null;
    const { credit, decidedBy, isConfirmed } = friend;
    const { state, alsoDecided } = decision;
    if (decidedBy === 'operator' && !alsoDecided) return null;
    const waits =
      state === 'given' && decision.needsConfirmation && !isConfirmed && credit !== 'given';
    const after = waits ? 'pending' : state;
    if (after === credit && decidedBy === 'operator') return null;
    Object.assign(friend, { credit: after, decidedBy: 'operator' });
    const last = this.#last.get(friend);
    return { friend, before: { credit, decidedBy }, after, last };
  }

  async #undo(which: number): Promise<void> {
    const [told] = this.#told.splice(which, 1);
    if (told === undefined) return;
    const restored = await this.#act((transaction) => undoDecision(transaction, told.decided));
    const undone = told.changes.filter(
      ({ friend, after }) =>
        this.#hasCredit(friend) &&
        this.#last.get(friend) === told.decided &&
        (friend.credit === after || (after === 'pending' && friend.credit === 'given')),
    );
    expect(restored).toBe(undone.length);
    for (const { friend, before, last } of undone) {
      Object.assign(friend, before);
      if (friend.isConfirmed) this.#model.confirm(friend);
      if (last === undefined) this.#last.delete(friend);
      else this.#last.set(friend, last);
    }
  }

  /** Both are in line. */
  #hasCredit({ referrer, ...friend }: ModelMember): boolean {
    const isHere = (id: string) => this.#model.members.some((member) => member.id === id);
    return referrer !== null && isHere(friend.id) && isHere(referrer.id);
  }

  async #act<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return await inTransaction(this.#database, async (transaction) => {
      await lock(transaction, 'line');
      return await work(transaction);
    });
  }
}
