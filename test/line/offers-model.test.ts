import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { brand as ownBrand } from '../../brand/brand.ts';
import {
  inTransaction,
  inUndoneTransaction,
  type Transaction,
} from '../../server/db/transaction.ts';
import { openOfferMask } from '../../server/drop/offers/make-offers.ts';
import {
  openExtendOffers,
  pauseOffersOperation,
  resumeOffersOperation,
} from '../../server/drop/offers/move-offers.ts';
import {
  acceptOffer,
  changeOfferSize,
  declineOffer,
} from '../../server/drop/offers/settle-offer.ts';
import { redeemPass, reissuePass } from '../../server/drop/passes/passes.ts';
import { startOffers } from '../../server/drop/steps/start-offers.ts';
import { makeOffers } from '../../server/drop/steps/sweep-offers.ts';
import { setStock } from '../../server/drop/stock/stock.ts';
import { listSizes } from '../../server/drop/stock/store.ts';
import { cancelPass } from '../../server/drop/till/settle-payment.ts';
import { Problem } from '../../server/problem.ts';
import { oneEngine } from '../support/engines.ts';
import { keepFinds } from '../support/keep-finds.ts';
import { provideLine } from '../support/provide-line.ts';
import { isAll, isLong } from '../support/test-form.ts';
import { OfferModel } from './offer-model.ts';
import {
  ENTRANTS,
  handOverMails,
  type OfferStep,
  offerStep,
  passHours,
  SIZES,
  selectMembers,
  setQuiet,
  wishes,
} from './offer-steps.ts';

const HISTORIES = isLong ? 1000 : isAll ? 60 : 12;
const STEPS = isLong ? { minLength: 80, maxLength: 80 } : { minLength: 10, maxLength: 40 };
const TERMS = { minutes: 720, time_zone: 'UTC' };
const brand = {
  ...ownBrand,
  sizes: SIZES.map((name) => ({ name, stock: 2 })),
  maskCount: 100,
};

describe.each(oneEngine)('the offers of a drop on the %s engine', (engine) => {
  const place = provideLine(engine, { brand }, 'all');
  let memberIds: readonly string[];
  beforeAll(async () => {
    memberIds = (await place.joinAll(ENTRANTS)).map(({ id }) => id);
  });

  test('are the model after every step of any history', {
    timeout: isLong ? 3_600_000 : 900_000,
  }, async () => {
    const stocks = fc.array(fc.nat({ max: 3 }), { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        wishes,
        stocks,
        fc.array(offerStep, { ...STEPS, size: 'max' }),
        async (wished, stock, steps) => {
          await selectMembers(place.database, memberIds, wished, [0, 0, 0]);
          for (const [index, size] of SIZES.entries())
            await alone((transaction) =>
              setStock(transaction, { size, stock: stock[index] ?? 0, maskCount: 100 }),
            );
          await selectMembers(place.database, memberIds, wished, stock);
          await alone((transaction) => startOffers(transaction, TERMS));
          const model = new OfferModel(stock, wished);
          for (const step of steps) {
            const expected = model.take(step);
            expect(await take(step), JSON.stringify(step)).toBe(expected);
            await compare(model);
          }
        },
      ),
      keepFinds({ numRuns: HISTORIES }),
    );
  });

  const alone = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
    inTransaction(place.database, work);

  /** Whether the step was possible. */
  async function take(step: OfferStep): Promise<boolean> {
    try {
      await doStep(step);
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  async function doStep(step: OfferStep): Promise<void> {
    if (step.kind === 'clock') return await passHours(place.database, step.hours);
    if (step.kind === 'quiet') return await setQuiet(place.database, step.isQuiet);
    if (step.kind === 'crash') return void (await inUndoneTransaction(place.database, makeOffers));
    if (step.kind === 'mail') {
      await assertAwake();
      return await handOverMails(place.database);
    }
    if (step.kind === 'sweep')
      return void (await Promise.all(
        Array.from({ length: step.servers }, () => alone(makeOffers)),
      ));
    await alone(async (transaction) => {
      if (step.kind === 'stock') return await setStock(transaction, { ...step, maskCount: 100 });
      if (step.kind === 'pause') return await pauseOffersOperation.apply(...alike(transaction));
      if (step.kind === 'resume' || step.kind === 'extend') await assertAwake(transaction);
      if (step.kind === 'resume') return await resumeOffersOperation.apply(...alike(transaction));
      if (step.kind === 'extend')
        return await extendOffers.apply(transaction, { minutes: 300 }, undefined as never);
      const memberId = memberIds[step.entrant] ?? '';
      if (step.kind === 'by-hand')
        return await offerMask.apply(transaction, { member_id: memberId }, undefined as never);
      if (step.kind === 'accept') return await acceptOffer(transaction, memberId);
      if (step.kind === 'decline') return await declineOffer(transaction, memberId);
      if (step.kind === 'change')
        return await changeOfferSize(transaction, { memberId, size: step.size });
      const own = (await readOffers(transaction)).filter((one) => one.member_id === memberId);
      const code = (own.find(takesMask) ?? own.at(-1))?.code;
      if (step.kind === 'redeem')
        return await redeemPass(transaction, { code: code ?? '', order: step.order });
      return step.kind === 'cancel'
        ? await cancelPass(transaction, code ?? '')
        : await reissuePass(transaction, code ?? '');
    });
  }

  /** Quiet hours of these histories last all day: an offer that begins in them has no end. */
  async function assertAwake(kysely: Pick<Transaction, 'selectFrom'> = place.database.kysely) {
    const drop = await kysely.selectFrom('mask_drop').select('quiet_from').executeTakeFirst();
    if (drop?.quiet_from) throw new Problem('conflict', 'It is quiet.');
  }

  async function readOffers(kysely: Pick<Transaction, 'selectFrom'>) {
    return await kysely.selectFrom('offer').selectAll().orderBy('offered_at').execute();
  }

  async function compare(model: OfferModel): Promise<void> {
    const offers = await readOffers(place.database.kysely);
    const told = (entrant: number) =>
      model.offers
        .filter((offer) => offer.entrant === entrant)
        .map(({ size, state, remindedAt }) => [size, state, remindedAt !== null]);
    for (const [entrant, memberId] of memberIds.entries()) {
      const own = offers.filter(({ member_id: id }) => id === memberId);
      const found = own.map(({ size, state, reminded_at: at }) => [size, state, at !== null]);
      expect(found.sort()).toEqual(told(entrant).sort());
      expect(own.filter(takesMask).length).toBeLessThanOrEqual(1);
    }
    for (const { name, stock, offered, available, held } of await listSizes(place.database)) {
      const left = [model.stock.get(name), model.free(name)];
      expect([name, stock, held]).toEqual([name, ...left]);
      expect(available).toBeGreaterThanOrEqual(0);
      expect(offered + available).toBe(stock);
    }
    const codes = offers.flatMap(({ code }) => code ?? []);
    expect(new Set(codes).size).toBe(codes.length);
  }
});

const extendOffers = openExtendOffers(brand.language);
const offerMask = openOfferMask({ wake() {}, reachesMembers: true });
const alike = (transaction: Transaction) => [transaction, {}, undefined as never] as const;

function takesMask({ state }: { readonly state: string }): boolean {
  return ['open', 'accepted', 'paid'].includes(state);
}
