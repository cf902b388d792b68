/** Draft orders of Shopify for a product that no channel sells: only a link pays. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AdminApiClient } from '@shopify/admin-api-client';
import { decimalsOf } from '../../../contract/operator/drop/price-rules.ts';
import type { TillSettings } from '../../../contract/operator/drop/till.ts';
import { MINUTE_MS } from '../../durations.ts';
import { addressOf } from '../../rewards/address-rules.ts';
import type { TillKeys } from './sealed-keys.ts';
import {
  type FarCheckout,
  type Payment,
  type Till,
  type TillContext,
  TillError,
  UNLIMITED_MS,
} from './till.ts';

const API_VERSION = '2026-10';
const TIMEOUT_MS = 8_000;
/** Larger pages cost more than a call may. */
const PAGE = 25;
const RENEW_BEFORE_MS = 5 * MINUTE_MS;
const TAG = 'waitlist-pass';

type Attribute = { readonly key: string; readonly value: string };
type Order = {
  readonly id: string;
  readonly name: string;
  readonly displayFinancialStatus: string;
  readonly customAttributes: readonly Attribute[];
  readonly totalPriceSet: { readonly shopMoney: { amount: string; currencyCode: string } };
  readonly shippingAddress: Readonly<Record<string, string | null>> | null;
};
type SoldOrder = Order & { readonly lineItems: { nodes: { product: { id: string } | null }[] } };
type Draft = Pick<Order, 'id' | 'customAttributes'> & {
  readonly createdAt: string;
  readonly invoiceUrl: string | null;
  readonly order: Order | null;
};
type Product = {
  readonly onlineStoreUrl: string | null;
  readonly variants: { nodes: { id: string; selectedOptions: { value: string }[] }[] };
};
type Page = { nodes: never[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
type Done = { readonly userErrors: readonly { readonly message: string }[] };
type Created = Done & { readonly draftOrder: Draft | null };

const ORDER = `id name displayFinancialStatus customAttributes { key value }
  totalPriceSet { shopMoney { amount currencyCode } }
  shippingAddress { name address1 address2 city provinceCode zip countryCodeV2 phone }`;
const SOLD_ORDER = `${ORDER} lineItems(first: 5) { nodes { product { id } } }`;
const DRAFT = `id createdAt invoiceUrl customAttributes { key value } order { ${ORDER} }`;
const READ_PRODUCT = `query ($id: ID!) { product(id: $id) {
  onlineStoreUrl variants(first: 100) { nodes { id selectedOptions { value } } } } }`;
const READ_DRAFT = `query ($id: ID!) { draftOrder(id: $id) { ${DRAFT} } }`;
const READ_ORDER = `query ($id: ID!) { order(id: $id) { ${ORDER} } }`;
const CREATE = `mutation ($input: DraftOrderInput!) { draftOrderCreate(input: $input) {
  draftOrder { ${DRAFT} } userErrors { message } } }`;
const DELETE = `mutation ($id: ID!) { draftOrderDelete(input: { id: $id }) {
  userErrors { message } } }`;
const CANCEL = `mutation ($id: ID!) { orderCancel(orderId: $id, reason: OTHER, restock: true,
  notifyCustomer: true, refundMethod: { originalPaymentMethodsRefund: true }) {
  userErrors: orderCancelUserErrors { message } } }`;
const SUBSCRIBE = `mutation ($uri: String!) {
  webhookSubscriptionCreate(topic: ORDERS_PAID, webhookSubscription: { uri: $uri }) {
  userErrors { message } } }`;

const PAID = ['PAID', 'AUTHORIZED', 'PARTIALLY_REFUNDED', 'REFUNDED'];
/** `VOIDED` was cancelled before it was paid. */
const RETURNED = ['REFUNDED', 'VOIDED'];

export async function openShopifyTill(
  { shop, client_id, product, publicUrl, noticesUrl, fetch }: TillContext & TillSettings['shopify'],
  { secretKey = '' }: TillKeys,
): Promise<Till> {
  // Only a server that sells by Shopify pays for its size.
  const { createAdminApiClient } = await import('@shopify/admin-api-client');
  const productId = `gid://shopify/Product/${product}`;
  let session: { readonly client: AdminApiClient; readonly until: number } | null = null;

  const send: TillContext['fetch'] = (url, init) =>
    fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });

  async function connect(): Promise<AdminApiClient> {
    if (session !== null && Date.now() < session.until) return session.client;
    const grant = { grant_type: 'client_credentials', client_id, client_secret: secretKey };
    const answer = await send(`https://${shop}/admin/oauth/access_token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(grant),
    }).catch((cause) => {
      throw new TillError('Shopify did not answer.', { cause });
    });
    if (!answer.ok) throw new TillError(`Shopify lets nobody in: it answered ${answer.status}.`);
    const { access_token: accessToken, expires_in: seconds } = JSON.parse(await answer.text());
    const client = createAdminApiClient({
      ...{ storeDomain: shop, apiVersion: API_VERSION, accessToken, customFetchApi: send },
      // By default it warns on the console.
      logger: () => {},
    });
    session = { client, until: Date.now() + seconds * 1000 - RENEW_BEFORE_MS };
    return client;
  }

  async function ask<Data>(query: string, variables: object): Promise<Data> {
    const { data, errors } = await (await connect()).request(query, { variables });
    if (errors === undefined) return data as Data;
    const { networkStatusCode: status, graphQLErrors, message, response } = errors;
    if (status === undefined) throw new TillError('Shopify did not answer.', { cause: errors });
    if (status === 401) session = null;
    throw new TillError(`Shopify answered ${status}: ${graphQLErrors?.[0]?.message ?? message}`, {
      retryAfterMs: (Number(response?.headers.get('retry-after')) || 0) * 1000,
    });
  }

  async function all<Row>(name: 'draftOrders' | 'orders', fields: string, search: string) {
    const query = `query ($search: String!, $after: String) {
      ${name}(first: ${PAGE}, query: $search, after: $after) {
      nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;
    const rows: Row[] = [];
    for (let after: string | null = null; ; ) {
      const { [name]: page }: Record<typeof name, Page> = await ask(query, { search, after });
      rows.push(...page.nodes);
      if (!page.pageInfo.hasNextPage) return rows;
      after = page.pageInfo.endCursor;
    }
  }

  const readProduct = async () =>
    (await ask<{ product: Product | null }>(READ_PRODUCT, { id: productId })).product;
  const readDraft = async (id: string) =>
    (await ask<{ draftOrder: Draft | null }>(READ_DRAFT, { id })).draftOrder;
  const cancel = (id: string) => ask<{ orderCancel: Done }>(CANCEL, { id });

  /** Several lines may share a shop. */
  const offerOf = (attributes: readonly Attribute[]) =>
    attributeOf(attributes, '_line') === publicUrl ? attributeOf(attributes, '_offer') : null;

  function viewOf(id: string, draft: Draft | null): FarCheckout {
    const { customAttributes = [], order = null, createdAt = 0 } = draft ?? {};
    const offerId = offerOf(customAttributes);
    const far = { id, offerId, payment: null, createdAt: new Date(createdAt) };
    if (draft === null) return { ...far, state: 'ended' };
    if (order === null) return { ...far, state: 'open' };
    const { displayFinancialStatus: status } = order;
    if (PAID.includes(status)) return { ...far, state: 'paid', payment: paymentOf(order, offerId) };
    return { ...far, state: RETURNED.includes(status) ? 'ended' : 'pending' };
  }

  async function isReturned(id: string): Promise<boolean> {
    const { order } = await ask<{ order: Order | null }>(READ_ORDER, { id });
    return RETURNED.includes(order?.displayFinancialStatus ?? '');
  }

  return {
    tellsUnpaid: true,
    longestMs: UNLIMITED_MS,
    read: async (id) => viewOf(id, await readDraft(id)),
    async create({ offerId, key, size, endsAt, email }) {
      const variantId = variantOf(await readProduct(), size)?.id;
      if (variantId === undefined)
        throw new TillError(`Shopify has no variant ${size} of the product.`, { isAnswer: true });
      // The draft of an attempt whose answer was lost, unless the search does not find it yet. Then
      // the link of the lost one is shown to nobody, and the next comparison deletes it.
      const found = (await all<Draft>('draftOrders', DRAFT, `tag:'${offerId}'`)).find(
        ({ customAttributes: own }) =>
          offerOf(own) !== null && attributeOf(own, '_attempt') === key,
      );
      const attributes = { _line: publicUrl, _offer: offerId, _attempt: key };
      const input = {
        ...{ email, tags: [TAG, offerId], reserveInventoryUntil: endsAt.toISOString() },
        lineItems: [{ variantId, quantity: 1 }],
        customAttributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
      };
      const made = found ? null : await ask<{ draftOrderCreate: Created }>(CREATE, { input });
      const draft = found ?? made?.draftOrderCreate.draftOrder;
      const why = made?.draftOrderCreate.userErrors[0]?.message;
      if (!draft) throw new TillError(`Shopify makes no checkout: ${why}`, { isAnswer: true });
      if (draft.invoiceUrl === null) throw new TillError('Shopify is still making the checkout.');
      return { id: draft.id, link: draft.invoiceUrl };
    },
    async end(id) {
      const draft = await readDraft(id);
      const far = viewOf(id, draft);
      if (far.state === 'open') await ask(DELETE, { id });
      // An order by bank transfer is pending, for example.
      else if (far.state === 'pending' && draft?.order) await cancel(draft.order.id);
      else return far;
      return viewOf(id, await readDraft(id));
    },
    async refund({ id }) {
      if (await isReturned(id)) return;
      const { orderCancel } = await cancel(id);
      if (await isReturned(id)) return;
      const why = orderCancel.userErrors[0]?.message ?? 'It is under way.';
      throw new TillError(`Shopify has not given the money back. ${why}`);
    },
    async list(since) {
      const updated = `updated_at:>='${since.toISOString()}'`;
      const drafts = await all<Draft>('draftOrders', DRAFT, `tag:'${TAG}' AND ${updated}`);
      const checkouts = drafts.map((draft) => viewOf(draft.id, draft));
      const payments = checkouts.flatMap(({ payment }) => payment ?? []);
      const known = new Set(payments.map(({ id }) => id));
      for (const order of await all<SoldOrder>('orders', SOLD_ORDER, updated)) {
        const offerId = offerOf(order.customAttributes);
        const isMask = order.lineItems.nodes.some((item) => item.product?.id === productId);
        const isPaid = PAID.includes(order.displayFinancialStatus) && !known.has(order.id);
        if (isPaid && (isMask || offerId !== null)) payments.push(paymentOf(order, offerId));
      }
      return { checkouts, payments };
    },
    readNotice(headers, body) {
      const given = Buffer.from(String(headers['x-shopify-hmac-sha256'] ?? ''), 'base64');
      const right = createHmac('sha256', secretKey).update(body).digest();
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
      const { note_attributes: notes = [] } = JSON.parse(body.toString());
      const attributes = notes.map((note: { name: string }) => ({ ...note, key: note.name }));
      return offerOf(attributes) ?? '';
    },
    async check(sizes) {
      const mask = await readProduct();
      const lacking = sizes.filter((size) => variantOf(mask, size) === undefined).join(', ');
      const { webhookSubscriptionCreate: made } = await ask<{ webhookSubscriptionCreate: Done }>(
        SUBSCRIBE,
        { uri: noticesUrl },
      );
      const fault = made.userErrors.find(({ message }) => !/already been taken/.test(message));
      const find = (is_good: boolean, good: string, bad: string) => ({
        ...{ is_good, sentence: is_good ? good : bad },
      });
      return [
        find(
          mask !== null && mask.onlineStoreUrl === null,
          'The product is not published on the online store. Keep it off other channels, too.',
          mask === null
            ? `Shopify has no product ${product}.`
            : 'The product is published on the online store: whoever finds it buys a mask ' +
                'without a pass. Take it off this channel, and off all others.',
        ),
        find(lacking === '', 'Each size is a variant of it.', `It has no variant for ${lacking}.`),
        find(
          fault === undefined,
          'Its webhook calls this server.',
          `Payments are seen within minutes, not at once. Its webhook: ${fault?.message}.`,
        ),
      ];
    },
  };
}

function paymentOf({ id, name, ...order }: Order, offerId: string | null): Payment {
  const { amount, currencyCode: currency } = order.totalPriceSet.shopMoney;
  const cents = Math.round(Number(amount) * 10 ** decimalsOf(currency));
  const isRefunded = RETURNED.includes(order.displayFinancialStatus);
  const shipping = order.shippingAddress ?? {};
  const { address1: address_1, address2: address_2, zip: postcode, city: town } = shipping;
  const { provinceCode: region, countryCodeV2: country, phone, name: person } = shipping;
  const lines = { name: person, address_1, address_2, postcode, town, region, country, phone };
  return { id, reference: name, offerId, cents, currency, isRefunded, address: addressOf(lines) };
}

const attributeOf = (attributes: readonly Attribute[], wanted: string) =>
  attributes.find(({ key }) => key === wanted)?.value ?? null;

/** A size is an option of a variant, in whatever case. */
function variantOf(product: Product | null, size: string) {
  const isSize = ({ value }: { value: string }) => value.toLowerCase() === size.toLowerCase();
  return product?.variants.nodes.find(({ selectedOptions }) => selectedOptions.some(isSize));
}
