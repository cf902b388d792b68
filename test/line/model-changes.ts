/** What operators do to the line, applied to the server and to the model. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import { inTransaction, lock, type Transaction } from '../../server/db/transaction.ts';
import { adjustPoints } from '../../server/line/changes/adjust-points.ts';
import { removeMembers, restoreMembers } from '../../server/line/changes/change-store.ts';
import {
  correctAddress,
  type HeldAddress,
  restoreAddress,
} from '../../server/line/changes/correct-address.ts';
import { readEmail } from '../../server/mail/email-rules.ts';
import type { LineModel, ModelMember, ModelRemoval } from './model.ts';
import { spellings } from './spellings.ts';

export type ChangeStep = { kind: 'change' } & (
  | { change: 'remove'; members: number[] }
  | { change: 'bring-back' | 'undo-correction'; which: number }
  | { change: 'adjust'; member: number; by: number }
  | { change: 'correct'; member: number; person: number; spelling: number }
);

const kind = fc.constant('change' as const);

export const changeStep: fc.Arbitrary<ChangeStep> = fc.oneof(
  fc.record({
    kind,
    change: fc.constant('remove' as const),
    members: fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 6 }),
  }),
  {
    weight: 2,
    arbitrary: fc.record({ kind, change: fc.constant('bring-back' as const), which: fc.nat(3) }),
  },
  fc.record({
    kind,
    change: fc.constant('adjust' as const),
    member: fc.nat(30),
    by: fc.integer({ min: -5, max: 5 }),
  }),
  fc.record({
    kind,
    change: fc.constant('correct' as const),
    member: fc.nat(30),
    person: fc.nat(28),
    spelling: fc.nat(7),
  }),
  fc.record({ kind, change: fc.constant('undo-correction' as const), which: fc.nat(3) }),
);

const UNTIL = new Date(Date.now() + 3600_000);

type Removal = { readonly id: string; readonly told: ModelRemoval };
type Correction = {
  readonly member: ModelMember;
  readonly name: string;
  readonly isConfirmed: boolean;
  readonly keys: Parameters<LineModel['keepKeys']>[0];
  readonly before: HeldAddress;
  readonly email: string;
};

export class ChangeHistory {
  readonly #database: Database;
  readonly #model: LineModel;
  readonly #everybody: readonly ModelMember[];
  readonly #removals: Removal[] = [];
  readonly #corrections: Correction[] = [];

  constructor(database: Database, model: LineModel, everybody: readonly ModelMember[]) {
    this.#database = database;
    this.#model = model;
    this.#everybody = everybody;
  }

  async take(step: ChangeStep): Promise<void> {
    if (step.change === 'remove') await this.#remove(step.members);
    else if (step.change === 'bring-back') await this.#bringBack(step.which);
    else if (step.change === 'adjust') await this.#adjust(step.member, step.by);
    else if (step.change === 'correct') await this.#correct(step);
    else await this.#undoCorrection(step.which);
  }

  async #remove(numbers: readonly number[]): Promise<void> {
    const asked = numbers.flatMap((number) => this.#everybody[number] ?? []);
    const here = asked.filter((member) => this.#model.members.includes(member));
    const id = randomUUID();
    const { removed } = await this.#act((transaction) =>
      removeMembers(
        transaction,
        asked.map((member) => member.id),
        { removalId: id, until: UNTIL },
      ),
    );
    expect(removed).toBe(here.length);
    if (removed > 0) this.#removals.push({ id, told: this.#model.removeForNow(here) });
  }

  async #bringBack(which: number): Promise<void> {
    const [removal] = this.#removals.splice(which, 1);
    if (removal === undefined) return;
    const result = await this.#act((transaction) => restoreMembers(transaction, removal.id));
    const restored = this.#model.bringBack(removal.told).length;
    expect(result).toEqual({ restored, leftOut: removal.told.length - restored });
  }

  async #adjust(number: number, by: number): Promise<void> {
    const member = this.#everybody[number];
    if (member === undefined) return;
    const before = this.#model.inOrder();
    const adjusting = this.#act((transaction) =>
      adjustPoints(transaction, { memberId: member.id, by }),
    );
    if (!before.includes(member))
      return await expect(adjusting).rejects.toMatchObject({ code: 'unknown_member' });
    const { position, moved } = await adjusting;
    member.adjustment += by;
    const after = this.#model.inOrder();
    expect(position).toEqual({
      before: before.indexOf(member) + 1,
      after: after.indexOf(member) + 1,
    });
    expect(moved).toBe(before.filter((each, index) => after[index] !== each).length);
  }

  async #correct(step: { member: number; person: number; spelling: number }): Promise<void> {
    const member = this.#everybody[step.member];
    const name = `p${step.person}`;
    const email = spellings(name)[step.spelling] ?? '';
    if (member === undefined) return;
    const correcting = this.#act((transaction) =>
      correctAddress(transaction, { memberId: member.id, email }),
    );
    if (!this.#model.members.includes(member))
      return await expect(correcting).rejects.toMatchObject({ code: 'unknown_member' });
    const before = { name: member.name, isConfirmed: member.isConfirmed };
    const outcome = await correcting.catch((error: unknown) => error);
    if (isConflict(outcome, 'The member has this address already.')) return;
    const keys = this.#model.rename(member, name);
    if (keys === null)
      return expect(outcome).toMatchObject({ detail: 'Another member has this address.' });
    const told = outcome as Awaited<typeof correcting>;
    expect(told.after.identity).toBe(readEmail(email)?.identity);
    this.#corrections.push({
      ...before,
      member,
      keys,
      before: told.before,
      email: told.after.email,
    });
  }

  async #undoCorrection(which: number): Promise<void> {
    const [correction] = this.#corrections.splice(which, 1);
    if (correction === undefined) return;
    const { member, name, isConfirmed, keys, before, email } = correction;
    const undoing = this.#act((transaction) =>
      restoreAddress(transaction, { memberId: member.id, from: email, to: before }),
    ).catch((error: unknown) => error);
    const refusal = (await undoing) as { code?: string; detail?: string } | undefined;
    if (!this.#model.members.includes(member)) expect(refusal?.code).toBe('unknown_member');
    else if (refusal?.detail === "The member's address has since changed again.") return;
    else if (this.#model.rename(member, name) === null)
      expect(refusal?.detail).toBe('Another member has this address.');
    else {
      expect(refusal).toBeUndefined();
      member.isConfirmed = isConfirmed;
      if (isConfirmed) this.#model.confirm(member);
      this.#model.keepKeys(keys);
    }
  }

  async #act<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return await inTransaction(this.#database, async (transaction) => {
      await lock(transaction, 'line');
      return await work(transaction);
    });
  }
}

function isConflict(outcome: unknown, detail: string): boolean {
  return outcome instanceof Error && 'detail' in outcome && outcome.detail === detail;
}
