/** Inviters that members name after their join, on the server and on the model. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import { Problem } from '../../server/problem.ts';
import { getInvited, giveInviter } from '../../server/visitors/inviter/guarded-inviter.ts';
import type { LineModel, ModelMember, ModelNaming } from './model.ts';

export type InviterStep = { kind: 'inviter' } & (
  | { nextDay: false; member: number; inviter: number }
  | { nextDay: true }
);

const kind = fc.constant('inviter' as const);

export const inviterStep: fc.Arbitrary<InviterStep> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind,
      nextDay: fc.constant(false as const),
      member: fc.nat(30),
      inviter: fc.nat(30),
    }),
  },
  fc.record({ kind, nextDay: fc.constant(true as const) }),
);

/** What the server says of each outcome of the model. */
const SENTENCES: Readonly<Record<ModelNaming, RegExp>> = {
  given: /^given$/,
  gone: /^Nobody in line/,
  known: /already\.$/,
  late: /24 hours/,
  unknown: /^No member has/,
  own: /own code/,
  friend: /came by your invite/,
};

export class InviterHistory {
  readonly #database: Database;
  readonly #model: LineModel;
  readonly #everybody: readonly ModelMember[];

  constructor(database: Database, model: LineModel, everybody: readonly ModelMember[]) {
    this.#database = database;
    this.#model = model;
    this.#everybody = everybody;
  }

  async take(step: InviterStep): Promise<void> {
    if (step.nextDay) await this.#beginNextDay();
    else await this.#give(step);
  }

  async #give(step: Extract<InviterStep, { nextDay: false }>): Promise<void> {
    const joined = this.#everybody.length;
    const member = this.#everybody[step.member % joined];
    if (member === undefined) return;
    // One more than there are: a code that nobody has.
    const inviter = this.#everybody[step.inviter % (joined + 1)] ?? null;
    const answer = await this.#ask(member.id, {
      invite: { code: inviter?.code ?? 'ZZZZZZZZZZ', via: '' },
      referralCredit: this.#model.credit,
    });
    const outcome = this.#model.giveInviter(member, inviter);
    expect(answer).toMatch(SENTENCES[outcome]);
  }

  async #ask(memberId: string, inviter: Parameters<typeof giveInviter>[2]): Promise<string> {
    try {
      const invited = await getInvited(this.#database, memberId);
      await giveInviter(this.#database, invited, inviter);
      return 'given';
    } catch (error) {
      if (error instanceof Problem) return error.detail;
      throw error;
    }
  }

  /** For members without an Idempotency-Key, which would end with the day, too. */
  async #beginNextDay(): Promise<void> {
    const { rows } = await this.#database.runSql(`
      update member set joined_at = joined_at - interval '24 hours'
      where key_hash is null returning id`);
    const old = new Set((rows as { id: string }[]).map(({ id }) => id));
    for (const member of this.#everybody) if (old.has(member.id)) member.isNew = false;
  }
}
