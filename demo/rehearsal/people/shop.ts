import type { OfferRow } from '../rehearsal-store.ts';
import type { ExpectStatus } from './member-acts.ts';
import { redeem } from './member-acts.ts';

const ORDERING = 0.5;
const FIRST_ORDER = 1000;

type ShopOptions = {
  readonly url: string;
  readonly key: string;
  readonly random: () => number;
  readonly expectStatus: ExpectStatus;
};

export type RehearsedShop = {
  sell(offers: readonly OfferRow[]): Promise<number>;
  /** The pass with the code is used, or was cancelled. */
  refuse(code: string): Promise<void>;
};

export function openShop({ url, key, random, expectStatus }: ShopOptions): RehearsedShop {
  let orders = 0;
  async function refuse(code: string): Promise<void> {
    expectStatus('A pass for another order', await redeem(url, key, { code, order: '#1' }), 409);
  }
  return {
    refuse,
    async sell(offers) {
      const before = orders;
      for (const { code } of offers.filter(({ state }) => state === 'accepted')) {
        if (code === null || random() > ORDERING) continue;
        orders += 1;
        const order = `#${FIRST_ORDER + orders}`;
        expectStatus('An order', await redeem(url, key, { code, order }), 200);
        expectStatus('The same order again', await redeem(url, key, { code, order }), 200);
        await refuse(code);
      }
      return orders - before;
    },
  };
}
