/** Draft orders of Shopify for a product that no channel sells: only a link pays. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { decimalsOf } from '../../../contract/operator/drop/price-rules.ts';
import type { TillSettings } from '../../../contract/operator/drop/till.ts';
import { MINUTE_MS } from '../../durations.ts';
import { addressOf } from '../../postal-address-rules.ts';
import type { Cost } from '../offers/offer-rules.ts';
import type { TillKeys } from './sealed-keys.ts';
import { API_VERSION, queries } from './shopify-queries.ts';
import {
  type FarCheckout,
  find,
  type Payment,
  type Till,
  type TillContext,
  TillError,
  tryCheckout,
  UNLIMITED_MS,
  uuidIn,
} from './till.ts';

const TIMEOUT_MS = 8_000;
const RENEW_BEFORE_MS = 5 * MINUTE_MS;
const TAG = 'waitlist-pass';
const TOPICS = ['ORDERS_PAID', 'ORDERS_UPDATED'];

type Attribute = { readonly key: string; readonly value: string };
type Price = { readonly amount: string; readonly currencyCode: string };
type Money = { readonly shopMoney: Price };
type Line = { readonly quantity: number; readonly discountedTotalSet: Money };
type SoldLine = Line & { readonly product: { readonly id: string } | null };
type Order = {
  readonly id: string;
  readonly name: string;
  readonly displayFinancialStatus: string;
  readonly cancelledAt: string | null;
  readonly customAttributes: readonly Attribute[];
  readonly totalReceivedSet: Money;
  readonly totalRefundedSet: Money;
  readonly disputes: readonly { readonly initiatedAs: string; readonly status: string }[];
  readonly lineItems: { readonly nodes: readonly SoldLine[] };
  readonly shippingAddress: Readonly<Record<string, string | null>> | null;
};
type Draft = Pick<Order, 'id' | 'customAttributes'> & {
  readonly createdAt: string;
  readonly invoiceUrl: string | null;
  readonly lineItems: { readonly nodes: readonly Line[] };
  readonly order: Order | null;
};
type Product = {
  readonly onlineStoreUrl: string | null;
  readonly priceRangeV2: Readonly<Record<'minVariantPrice' | 'maxVariantPrice', Price>>;
  readonly variants: { nodes: { id: string; selectedOptions: { value: string }[] }[] };
};
type Grant = { readonly access_token?: string; readonly expires_in: number };
type Read = { readonly shop: { taxesIncluded: boolean }; readonly product: Product | null };
type Shop = { readonly shop: { id: string; plan: { partnerDevelopment: boolean } } };
type Page = { nodes: never[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
type Pages = Readonly<Record<'draftOrders' | 'orders', Page>>;
type Answered<Data> = {
  readonly data?: Data;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { code: string } }[];
  readonly extensions?: { readonly cost?: QueryCost };
};
type QueryCost = {
  readonly requestedQueryCost?: number;
  readonly throttleStatus?: { readonly currentlyAvailable?: number; readonly restoreRate?: number };
};
type Done = { readonly userErrors: readonly { readonly message: string }[] };
type Created = { readonly draftOrderCreate: Done & { readonly draftOrder: Draft | null } };

/** `AUTHORIZED` is not: the bank has promised the money, and nobody has taken it. */
const PAID = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'];
/** `VOIDED` was cancelled before it was paid. */
const RETURNED = ['REFUNDED', 'VOIDED'];
/** The money of a chargeback is with the bank, or gone. */
const DISPUTED = ['NEEDS_RESPONSE', 'UNDER_REVIEW', 'ACCEPTED', 'LOST'];

export function openShopifyTill(
  { shop, client_id, product, noticesUrl, sign, fetch }: TillContext & TillSettings['shopify'],
  { secretKey = '' }: TillKeys,
): Till {
  const productId = `gid://shopify/Product/${product}`;
  let session: { readonly token: string; readonly until: number } | null = null;

  /** Posts JSON. The body of the answer is null unless it is JSON. */
  async function send<Body>(path: string, body: object, headers: Record<string, string> = {}) {
    const answer = await fetch(`https://${shop}/admin/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause) => {
      throw new TillError('Shopify did not answer.', { cause });
    });
    return { answer, body: (await answer.json().catch(() => null)) as Body | null };
  }

  async function connect(): Promise<string> {
    if (session !== null && Date.now() < session.until) return session.token;
    const grant = { grant_type: 'client_credentials', client_id, client_secret: secretKey };
    const { answer, body } = await send<Grant>('oauth/access_token', grant);
    if (!answer.ok || !body?.access_token)
      throw new TillError(`Shopify lets nobody in: it answered ${answer.status}.`);
    const { access_token: token, expires_in: seconds } = body;
    session = { token, until: Date.now() + seconds * 1000 - RENEW_BEFORE_MS };
    return token;
  }

  async function ask<Data>(query: string, variables: object, retriesLeft = 3): Promise<Data> {
    const { answer, body } = await send<Answered<Data>>(
      `api/${API_VERSION}/graphql.json`,
      { query, variables },
      { 'x-shopify-access-token': await connect() },
    );
    const { data, errors, extensions } = body ?? {};
    if (answer.ok && data && !errors) return data;
    const [error] = answer.ok ? (errors ?? []) : [];
    const isThrottled = error?.extensions?.code === 'THROTTLED';
    const throttledMs = isThrottled ? throttledMsOf(extensions?.cost) : 0;
    // The pages of a comparison are many calls in a row.
    if (isThrottled && throttledMs < TIMEOUT_MS && retriesLeft > 0) {
      await delay(throttledMs);
      return await ask(query, variables, retriesLeft - 1);
    }
    if (answer.status === 401) session = null;
    throw new TillError(
      `Shopify answered ${answer.status}: ${error?.message ?? answer.statusText}`,
      { retryAfterMs: throttledMs || (Number(answer.headers.get('retry-after')) || 0) * 1000 },
    );
  }

  async function all<Row>(name: keyof Pages, search: string) {
    const rows: Row[] = [];
    for (let after: string | null = null; ; ) {
      const { [name]: page }: Pages = await ask(queries[name], { search, after });
      rows.push(...page.nodes);
      if (!page.pageInfo.hasNextPage) return rows;
      after = page.pageInfo.endCursor;
    }
  }

  async function readProduct() {
    const { shop: own, product: mask } = await ask<Read>(queries.readProduct, { id: productId });
    return mask && { ...mask, cost: costIn(mask, own) };
  }
  const readDraft = async (id: string) =>
    (await ask<{ draftOrder: Draft | null }>(queries.readDraft, { id })).draftOrder;

  async function readOrder(id: string): Promise<Order> {
    const { order } = await ask<{ order: Order | null }>(queries.readOrder, { id });
    if (order === null) throw new TillError('Shopify has no such order.', { isFinal: true });
    return order;
  }

  /** Returns why it is not cancelled, or null while it is. */
  async function cancel(id: string): Promise<string | null> {
    const { orderCancel } = await ask<{ orderCancel: Done }>(queries.cancel, { id });
    const [fault] = orderCancel.userErrors;
    if (fault === undefined || (await readOrder(id)).cancelledAt !== null) return null;
    return `Shopify does not cancel its order: ${fault.message}`;
  }

  /** Shoppers may write attributes of a cart: only signed ones are those of this line. */
  function attemptOf({ customAttributes }: Pick<Order, 'customAttributes'>): string | null {
    const read = (wanted: string) => customAttributes.find(({ key }) => key === wanted)?.value;
    const attempt = read('_attempt') ?? '';
    return read('_sign') === sign(attempt) ? attempt : null;
  }

  function paymentOf(order: Order, attempt = attemptOf(order)): Payment {
    const { id, name, lineItems, disputes, totalReceivedSet, totalRefundedSet } = order;
    const [line, more] = lineItems.nodes;
    const isMask = line?.product?.id === productId && line.quantity === 1 && more === undefined;
    const cents = centsOf(totalReceivedSet);
    const isDisputed = disputes.some(
      ({ initiatedAs, status }) => initiatedAs === 'CHARGEBACK' && DISPUTED.includes(status),
    );
    return {
      id,
      reference: name,
      offerId: uuidIn(attempt?.split('/')[0]),
      cents,
      currency: totalReceivedSet.shopMoney.currencyCode.toLowerCase(),
      maskCents: isMask ? centsOf(line.discountedTotalSet) : null,
      refundedCents: centsOf(totalRefundedSet),
      disputedCents: isDisputed ? cents : 0,
      problem: null,
      address: shippingOf(order),
    };
  }

  function viewOf(id: string, draft: Draft | null): FarCheckout {
    const { order = null, createdAt = 0 } = draft ?? {};
    const checkout = { id, payment: null, createdAt: new Date(createdAt) };
    if (draft === null) return { ...checkout, state: 'ended' };
    if (order === null) return { ...checkout, state: 'open' };
    const { displayFinancialStatus: status } = order;
    if (PAID.includes(status))
      return { ...checkout, state: 'paid', payment: paymentOf(order, attemptOf(draft)) };
    return { ...checkout, state: RETURNED.includes(status) ? 'ended' : 'pending' };
  }

  const variantIn = (mask: Product | null, size: string) => {
    const isSize = ({ value }: { value: string }) => value.toLowerCase() === size.toLowerCase();
    return mask?.variants.nodes.find(({ selectedOptions }) => selectedOptions.some(isSize))?.id;
  };

  async function make(variantId: string, attempt: string, more: object): Promise<Draft> {
    const attributes = { _attempt: attempt, _sign: sign(attempt) };
    const input = {
      ...more,
      lineItems: [{ variantId, quantity: 1 }],
      customAttributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
    };
    const { draftOrderCreate: made } = await ask<Created>(queries.create, { input });
    if (made.draftOrder !== null) return made.draftOrder;
    const why = made.userErrors[0]?.message;
    throw new TillError(`Shopify makes no checkout: ${why}`, { isAnswer: true });
  }

  return {
    longestMs: UNLIMITED_MS,
    read: async (id) => viewOf(id, await readDraft(id)),
    async identify() {
      const { shop: own } = await ask<Shop>(queries.readShop, {});
      return { farId: own.id, isLive: !own.plan.partnerDevelopment };
    },
    readCost: async () => (await readProduct())?.cost ?? null,
    async create({ offerId, key, size, endsAt, email }) {
      const variantId = size === null ? undefined : variantIn(await readProduct(), size);
      if (variantId === undefined)
        throw new TillError(`Shopify has no variant ${size} of the product.`, { isAnswer: true });
      // The draft of an attempt whose answer was lost, unless the search does not find it yet. Then
      // the link of the lost one is shown to nobody, and the next comparison deletes it.
      const found = (await all<Draft>('draftOrders', `tag:'${offerId}'`)).find(
        (draft) => attemptOf(draft) === key,
      );
      const more = { email, tags: [TAG, offerId], reserveInventoryUntil: endsAt.toISOString() };
      const { id, invoiceUrl, lineItems } = found ?? (await make(variantId, key, more));
      if (invoiceUrl === null) throw new TillError('Shopify is still making the checkout.');
      const price = lineItems.nodes[0]?.discountedTotalSet;
      const currency = price?.shopMoney.currencyCode.toLowerCase() ?? null;
      return { id, link: invoiceUrl, cents: price ? centsOf(price) : null, currency };
    },
    async end(id) {
      const draft = await readDraft(id);
      const checkout = viewOf(id, draft);
      if (checkout.state === 'open') await ask(queries.delete, { id });
      else if (checkout.state === 'pending' && draft?.order) {
        // It is to be paid by bank transfer, for example, or its payment is authorised alone.
        const problem = await cancel(draft.order.id);
        if (problem !== null)
          return { ...checkout, state: 'ended', payment: { ...paymentOf(draft.order), problem } };
      } else return checkout;
      return viewOf(id, await readDraft(id));
    },
    readPayment: async (id) => paymentOf(await readOrder(id)),
    async refund({ id }) {
      if (RETURNED.includes((await readOrder(id)).displayFinancialStatus)) return;
      const problem = await cancel(id);
      if (problem !== null) throw new TillError(problem, { isAnswer: true, isFinal: true });
      if (RETURNED.includes((await readOrder(id)).displayFinancialStatus)) return;
      throw new TillError('Shopify is giving the money back.');
    },
    async list(since) {
      const updated = `updated_at:>='${since.toISOString()}'`;
      const drafts = await all<Draft>('draftOrders', `tag:'${TAG}' AND ${updated}`);
      const marked = drafts.filter((draft) => attemptOf(draft) !== null);
      const checkouts = marked.map((draft) => viewOf(draft.id, draft));
      const payments = checkouts.flatMap(({ payment }) => payment ?? []);
      const paidIds = new Set(payments.map(({ id }) => id));
      // A checkout that was begun may outlive its draft.
      for (const order of await all<Order>('orders', updated)) {
        const isPaid = PAID.includes(order.displayFinancialStatus) && !paidIds.has(order.id);
        if (!isPaid || attemptOf(order) === null) continue;
        const payment = paymentOf(order);
        if (payment.maskCents !== null) payments.push(payment);
      }
      return { checkouts, payments };
    },
    readNotice(headers, body) {
      const given = Buffer.from(String(headers['x-shopify-hmac-sha256'] ?? ''), 'base64');
      const right = createHmac('sha256', secretKey).update(body).digest();
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
      try {
        const { admin_graphql_api_id: id, note_attributes: notes = [] } = JSON.parse(`${body}`);
        const customAttributes = notes.map((note: { name: string }) => ({
          ...note,
          key: note.name,
        }));
        const attempt = attemptOf({ customAttributes });
        const ids = [id, uuidIn(attempt?.split('/')[0])].filter(
          (reference) => typeof reference === 'string',
        );
        return { ids, isOurs: attempt !== null };
      } catch {
        return { ids: [], isOurs: false };
      }
    },
    async check(sizes) {
      const mask = await readProduct();
      const lacking = sizes.filter((size) => variantIn(mask, size) === undefined).join(', ');
      const variantId = variantIn(mask, sizes[0] ?? '');
      const faults: string[] = [];
      for (const topic of TOPICS) {
        const { webhookSubscriptionCreate: made } = await ask<{ webhookSubscriptionCreate: Done }>(
          queries.subscribe,
          { topic, uri: noticesUrl },
        );
        const fault = made.userErrors.find(({ message }) => !/already been taken/.test(message));
        if (fault !== undefined) faults.push(fault.message);
      }
      return [
        find(
          mask !== null && mask.onlineStoreUrl === null,
          'The product is not published on the online store. Keep it off other channels, too.',
          mask === null
            ? `Shopify has no product ${product}.`
            : 'The product is published on the online store: whoever finds it buys a mask ' +
                'without a pass. Take it off this channel, and off all others.',
        ),
        find(
          lacking === '' && mask?.cost !== null,
          'Each size is a variant of it, and all cost the same.',
          lacking
            ? `It has no variant for ${lacking}.`
            : 'Its variants differ in price, so no offer says what a mask costs.',
        ),
        ...(variantId === undefined ? [] : await tryCheckout(() => tryVariant(variantId))),
        find(
          faults.length === 0,
          'Its webhooks call this server.',
          `Payments are seen within minutes, not at once. Its webhook: ${faults[0]}.`,
        ),
      ];
    },
  };

  async function tryVariant(variantId: string) {
    const { id, lineItems } = await make(variantId, `test/${Date.now()}`, { tags: [TAG] });
    await ask(queries.delete, { id });
    const price = lineItems.nodes[0]?.discountedTotalSet;
    return find(
      price !== undefined && centsOf(price) > 0,
      `A checkout for a mask was made and ended: ${price?.shopMoney.amount} ` +
        `${price?.shopMoney.currencyCode}, and shipping.`,
      'The mask has no price.',
    );
  }
}

/** Milliseconds until a call that was refused for its cost may be made. */
function throttledMsOf({ requestedQueryCost: wanted = 0, throttleStatus = {} }: QueryCost = {}) {
  const { currentlyAvailable: left = wanted, restoreRate: perSecond = 1 } = throttleStatus;
  return Math.max(0, Math.ceil(((wanted - left) / perSecond) * 1000));
}

/** Null where sizes differ. */
function costIn({ priceRangeV2: range }: Product, { taxesIncluded }: Read['shop']): Cost | null {
  const { minVariantPrice: price, maxVariantPrice: most } = range;
  const plus = taxesIncluded ? 'shipping' : 'shipping and tax';
  const cents = centsOf({ shopMoney: price });
  return price.amount === most.amount ? { cents, currency: price.currencyCode, plus } : null;
}

function centsOf({ shopMoney: { amount, currencyCode } }: Money): number {
  return Math.round(Number(amount) * 10 ** decimalsOf(currencyCode));
}

function shippingOf({ shippingAddress }: Pick<Order, 'shippingAddress'>) {
  const shipping = shippingAddress ?? {};
  const { address1: address_1, address2: address_2, zip: postcode, city: town } = shipping;
  const { provinceCode: region, countryCodeV2: country, phone, name } = shipping;
  return addressOf({ name, address_1, address_2, postcode, town, region, country, phone });
}
