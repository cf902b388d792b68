import type { Database } from '../../server/db/database.ts';

export const DEATHS = ['before', 'within', 'after'] as const;
export type Death = (typeof DEATHS)[number];

export class Killed extends Error {}

/** The database of a server that is killed about the transaction of that number, from 1 on. */
export function mortalDatabase(
  database: Database,
  { at, number }: { readonly at: Death; readonly number: number },
) {
  const { kysely } = database;
  let begun = 0;
  let isDead = false;
  function die(): never {
    isDead = true;
    throw new Killed();
  }
  async function execute(work: (transaction: never) => Promise<unknown>): Promise<unknown> {
    begun += 1;
    const isLast = begun === number;
    if (isLast && at === 'before') die();
    const result = await kysely.transaction().execute(async (transaction) => {
      const made = await work(transaction as never);
      if (isLast && at === 'within') die();
      return made;
    });
    if (isLast && at === 'after') die();
    return result;
  }
  const mortal = new Proxy(kysely, {
    get(target, name) {
      if (isDead) throw new Killed();
      if (name === 'transaction') return () => ({ execute });
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { database: { ...database, kysely: mortal }, isDead: () => isDead };
}
