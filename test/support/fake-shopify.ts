/**
 * A fake of the part of Shopify that the till uses, written from the public description of its
 * Admin API (shopify.dev), which answers by the schema that Shopify publishes. Nothing here was
 * ever compared with Shopify itself. Where the description is silent it does its worst: a search
 * finds late, a checkout that was begun outlives its deleted draft, and a refund takes a while.
 */
import { createHmac } from 'node:crypto';
import {
  type Answer,
  FakeFarSide,
  type FarPayment,
  type Fault,
  type Move,
  type Way,
} from './fake-far-side.ts';
import { answerQuery } from './shopify-schema.ts';

type Attribute = { readonly key: string; readonly value: string };
type Order = {
  readonly id: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly isLate: boolean;
  readonly foundFrom: number;
  readonly shippingAddress: Record<string, string | null> | null;
  updated: number;
  status: 'PAID' | 'PENDING' | 'AUTHORIZED' | 'PARTIALLY_REFUNDED' | 'REFUNDED' | 'VOIDED';
  leftToReturn: number;
  /** The price is in cents. */
  readonly price: number;
  readonly currency: string;
  readonly product: string;
  refunded: number;
  dispute: 'NEEDS_RESPONSE' | 'WON' | null;
  isFulfilled: boolean;
};
type Draft = {
  readonly id: string;
  readonly email: string | null;
  readonly tags: readonly string[];
  readonly attributes: readonly Attribute[];
  readonly variantId: string;
  readonly reservedUntil: string;
  readonly price: number;
  readonly foundFrom: number;
  created: number;
  updated: number;
  deleted: number | null;
  order: Order | null;
};
type Search = { readonly query: string; readonly first: number; readonly after: string | null };
type Named = { readonly id: string };
type DraftInput = {
  readonly email?: string;
  readonly tags: string[];
  readonly reserveInventoryUntil?: string;
  readonly customAttributes: Attribute[];
  readonly lineItems: { variantId: string; quantity: number }[];
};

const TOKEN = 'shpat_0123456789';
export const PRODUCT = '8001';
const PRODUCT_ID = `gid://shopify/Product/${PRODUCT}`;
const OTHER = '00000000-0000-4000-8000-000000000000';
const OUTLIVES_MS = 10 * 60_000;
const PRICE = 9_900;
const PAID_BY: Readonly<Record<Way, Partial<Order>>> = {
  plain: {},
  promised: { status: 'AUTHORIZED' },
  transfer: { status: 'PENDING' },
  sent: { isFulfilled: true },
  early: { status: 'AUTHORIZED', isFulfilled: true },
  less: { price: 100 },
  dollars: { currency: 'USD' },
};

export class FakeShopify extends FakeFarSide {
  readonly drafts = new Map<string, Draft>();
  readonly orders = new Map<string, Order>();
  readonly webhooks = new Set<string>();
  isPublished = false;
  /** Where payers send what they buy. */
  shipsTo: Record<string, string | null> | null = null;
  variants = ['Small', 'Medium', 'Large'];
  /** Somebody else's keys, or none. */
  isLockedOut = false;
  /** How the next orders are paid, and whether the shop sends them at once. */
  status: Order['status'] = 'PAID';
  isFulfilling = false;
  /** A mask costs so many cents, and `premium` more in all sizes but the first. */
  variantPrice = PRICE;
  premium = 0;
  taxesIncluded = true;

  protected answer(
    _method: string,
    { pathname }: URL,
    { body, headers, fault }: { body: string; headers: Headers; fault: Fault | 'none' },
  ): Answer {
    if (fault === '500') return { status: 500, body: {} };
    const answer = pathname.endsWith('/oauth/access_token')
      ? this.grant(JSON.parse(body))
      : headers.get('x-shopify-access-token') === TOKEN
        ? this.run(JSON.parse(body))
        : { status: 401, body: {} };
    return fault === '500-done' ? { status: 500, body: {} } : answer;
  }

  /** Shopify answers with 200, and says in the body that the call costs too much for now. */
  protected override throttled(): Answer {
    const throttleStatus = { maximumAvailable: 40_000, currentlyAvailable: 80, restoreRate: 2000 };
    const cost = { requestedQueryCost: 90, actualQueryCost: null, throttleStatus };
    const errors = [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }];
    return { status: 200, body: { errors, extensions: { cost } } };
  }

  private grant({ grant_type: type, client_secret: secret }: Record<string, string>): Answer {
    if (type !== 'client_credentials' || this.isLockedOut || !/^shpss_/.test(secret ?? ''))
      return { status: 400, body: { error: 'invalid_client' } };
    return ok({ access_token: TOKEN, scope: 'write_draft_orders', expires_in: 86_399 });
  }

  private run({ query, variables }: { query: string; variables: object }): Answer {
    return ok(answerQuery(query, variables, this.fields));
  }

  private readonly fields = {
    shop: () => ({
      id: `gid://shopify/Shop/${this.account}`,
      taxesIncluded: this.taxesIncluded,
      plan: { partnerDevelopment: false },
    }),
    product: ({ id }: Named) => (id === PRODUCT_ID ? this.viewProduct() : null),
    draftOrder: ({ id }: Named) => {
      const draft = this.drafts.get(id);
      return draft && isThere(draft) ? viewDraft(draft) : null;
    },
    order: ({ id }: Named) => {
      const order = this.orders.get(id);
      return order ? this.lookAt(order) : null;
    },
    draftOrders: (search: Search) =>
      pageOf(this.find(this.drafts, search).filter(isThere), search, viewDraft),
    orders: (search: Search) => pageOf(this.find(this.orders, search), search, viewOrder),
    draftOrderCreate: ({ input }: { input: DraftInput }) => ({
      draftOrder: viewDraft(this.create(input)),
      userErrors: [],
    }),
    draftOrderDelete: ({ input: { id } }: { input: Named }) => {
      const draft = this.drafts.get(id);
      if (draft === undefined || !isThere(draft)) return faults('Draft does not exist');
      draft.deleted = Date.now();
      return faults();
    },
    orderCancel: ({ orderId }: { orderId: string }) => this.cancel(this.orders.get(orderId)),
    webhookSubscriptionCreate: (wanted: {
      topic: string;
      webhookSubscription: { uri: string };
    }) => {
      const webhook = `${wanted.topic} ${wanted.webhookSubscription.uri}`;
      const isTaken = this.webhooks.has(webhook);
      this.webhooks.add(webhook);
      return isTaken ? faults('Address for this topic has already been taken') : faults();
    },
  };

  private cancel(order: Order | undefined): object {
    if (order === undefined || order.leftToReturn >= 0) return faults('Cannot be cancelled');
    if (order.isFulfilled) return faults('Cannot cancel a fulfilled order');
    if (order.dispute === 'NEEDS_RESPONSE') return faults('Cannot refund a disputed order');
    order.leftToReturn = 1;
    order.updated = Date.now();
    return faults();
  }

  private create(input: DraftInput): Draft {
    const [line] = input.lineItems;
    if (line?.quantity !== 1) throw new Error('One draft sells one mask.');
    if (input.tags.some((tag) => tag.length > 40)) throw new Error('A tag is too long.');
    const now = Date.now();
    const draft: Draft = {
      id: `gid://shopify/DraftOrder/${++this.made}`,
      email: input.email ?? null,
      tags: input.tags,
      attributes: input.customAttributes,
      variantId: line.variantId,
      reservedUntil: input.reserveInventoryUntil ?? '',
      price: this.variantPrice,
      foundFrom: this.foundFrom(),
      created: now,
      updated: now,
      deleted: null,
      order: null,
    };
    this.drafts.set(draft.id, draft);
    return draft;
  }

  /** Call from which on a search finds what is made now. */
  private foundFrom(): number {
    return this.calls + (this.made % 3) * 2;
  }

  private find<Row extends { updated: number; foundFrom: number; tags?: readonly string[] }>(
    rows: ReadonlyMap<string, Row>,
    { query: search }: Search,
  ): Row[] {
    const tag = /tag:'([^']+)'/.exec(search)?.[1];
    const since = Date.parse(/updated_at:>='([^']+)'/.exec(search)?.[1] ?? '1970-01-01');
    return [...rows.values()].filter(
      ({ updated, foundFrom, tags }) =>
        foundFrom <= this.calls &&
        updated >= since &&
        (tag === undefined || tags?.includes(tag) === true),
    );
  }

  /** Money comes back after somebody has looked once more. */
  private lookAt(order: Order): object {
    if (order.leftToReturn === 0 && order.status !== 'REFUNDED') {
      const isUnpaid = order.status === 'PENDING' || order.status === 'AUTHORIZED';
      order.status = isUnpaid ? 'VOIDED' : 'REFUNDED';
      order.refunded = receivedOf(order);
    }
    if (order.leftToReturn > 0) order.leftToReturn -= 1;
    return viewOrder(order);
  }

  /** An owner may give a discount on a draft that is there, and a shop may sell abroad. */
  pay(link: string, way: Way = 'plain'): boolean {
    const draft = this.drafts.get(`gid://shopify/DraftOrder/${link.split('/').at(-1)}`);
    if (draft === undefined) throw new Error(`Nobody was given ${link}.`);
    const isLate = draft.deleted !== null;
    if (draft.order !== null || (isLate && Date.now() - (draft.deleted ?? 0) > OUTLIVES_MS))
      return false;
    draft.order = this.take(draft.attributes, { isLate, price: draft.price, ...PAID_BY[way] });
    draft.updated = Date.now();
    return true;
  }

  payByHand(): string {
    return this.take([], {}).name;
  }

  /** A shopper buys a sticker, and writes on the cart what is known of a pass. */
  forge(offerId: string): string[] {
    const product = 'gid://shopify/Product/1';
    const seen = [...this.drafts.values()].find((draft) => offerOf(draft) === offerId);
    const line = { key: '_line', value: 'https://line.example.com' };
    const guessed = ['x', offerId].map((value) => [line, { key: '_offer', value }]);
    const carts = [...guessed, ...(seen ? [seen.attributes] : [])];
    return carts.map((attributes) => this.take(attributes, { price: 100, product }).name);
  }

  sellBeside(): string[] {
    const attributes = [
      { key: '_attempt', value: `${OTHER}/1` },
      { key: '_sign', value: 'other' },
    ];
    const draft = this.create({
      email: 'other@example.com',
      tags: ['waitlist-pass'],
      customAttributes: attributes,
      lineItems: [{ variantId: 'Small', quantity: 1 }],
    });
    return [draft.id];
  }

  move(offerId: string, how: Move): boolean {
    const order = [...this.orders.values()].findLast(
      (one) => offerOf(one) === offerId && one.product === PRODUCT_ID,
    );
    if (order === undefined) return false;
    if (how === 'capture') return this.capture(order);
    if (!order.status.match(/PAID|REFUNDED/)) return false;
    const left = order.price - order.refunded;
    const { dispute } = order;
    if (how === 'refund' || how === 'part') {
      if (left === 0 || dispute === 'NEEDS_RESPONSE' || order.leftToReturn >= 0) return false;
      order.refunded += how === 'part' ? Math.ceil(left / 3) : left;
      order.status = order.refunded === order.price ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
    } else if (how === 'dispute') {
      if (dispute !== null || order.refunded > 0 || order.leftToReturn >= 0) return false;
      order.dispute = 'NEEDS_RESPONSE';
    } else {
      if (how === 'fail' || dispute !== 'NEEDS_RESPONSE') return false;
      order.dispute = 'WON';
    }
    order.updated = Date.now();
    return true;
  }

  private capture(order: Order): boolean {
    if (!order.status.match(/AUTHORIZED|PENDING/) || order.leftToReturn >= 0) return false;
    order.status = 'PAID';
    order.updated = Date.now();
    return true;
  }

  open(): Draft[] {
    return [...this.drafts.values()].filter((draft) => isThere(draft) && draft.order === null);
  }

  payments(): FarPayment[] {
    return [...this.orders.values()].map((order) => ({
      reference: order.name,
      offerId: offerOf(order),
      isLate: order.isLate,
      cents: receivedOf(order),
      currency: order.currency.toLowerCase(),
      refundedCents: order.refunded,
      disputedCents: order.dispute === 'NEEDS_RESPONSE' ? order.price : 0,
      isRefunded: order.status === 'REFUNDED' || order.status === 'VOIDED',
      isStuck: order.isFulfilled || order.dispute !== null,
    }));
  }

  /** A webhook call about the order of the draft with this link, signed now. */
  notice(link: string, secret: string, noteLength = 0) {
    const draft = this.drafts.get(`gid://shopify/DraftOrder/${link.split('/').at(-1)}`);
    const notes = (draft?.attributes ?? []).map(({ key: name, value }) => ({ name, value }));
    const admin_graphql_api_id = draft?.order?.id ?? 'gid://shopify/Order/450789469';
    const note = 'x'.repeat(noteLength);
    const body = JSON.stringify({ admin_graphql_api_id, note_attributes: notes, note });
    const signature = createHmac('sha256', secret).update(body).digest('base64');
    return { body, headers: { 'x-shopify-hmac-sha256': signature } };
  }

  passMs(ms: number): void {
    for (const order of this.orders.values()) order.updated -= ms;
    for (const draft of this.drafts.values()) {
      draft.created -= ms;
      draft.updated -= ms;
      if (draft.deleted !== null) draft.deleted -= ms;
    }
  }

  private take(attributes: readonly Attribute[], own: Partial<Order>): Order {
    const number = ++this.made;
    const id = `gid://shopify/Order/${number}`;
    const order: Order = {
      id,
      name: `#${number}`,
      attributes,
      isLate: false,
      foundFrom: this.foundFrom(),
      updated: Date.now(),
      status: this.status,
      leftToReturn: -1,
      price: PRICE,
      currency: 'EUR',
      shippingAddress: this.shipsTo,
      product: PRODUCT_ID,
      refunded: 0,
      dispute: null,
      isFulfilled: this.isFulfilling,
      ...own,
    };
    this.orders.set(id, order);
    return order;
  }

  private viewProduct(): object {
    const { currencyCode } = moneyOf(0).shopMoney;
    const priceOf = (cents: number) => ({ amount: (cents / 100).toFixed(1), currencyCode });
    return {
      priceRangeV2: {
        minVariantPrice: priceOf(this.variantPrice),
        maxVariantPrice: priceOf(this.variantPrice + this.premium),
      },
      onlineStoreUrl: this.isPublished ? 'https://ghost.example.com/products/mask' : null,
      variants: {
        nodes: this.variants.map((value) => ({
          id: `gid://shopify/ProductVariant/${value}`,
          selectedOptions: [{ value }],
        })),
      },
    };
  }
}

const isThere = ({ deleted }: Draft) => deleted === null;

/** The attempt that a draft was made for names its pass. */
const offerOf = ({ attributes }: Pick<Order, 'attributes'>) =>
  attributes.find(({ key }) => key === '_attempt')?.value.split('/')[0] ?? null;

const receivedOf = ({ status, price }: Order) =>
  ['PENDING', 'AUTHORIZED', 'VOIDED'].includes(status) ? 0 : price;

const moneyOf = (cents: number, currencyCode = 'EUR') => ({
  shopMoney: { amount: (cents / 100).toFixed(2), currencyCode },
});

function viewOrder(order: Order): object {
  const { id, name, attributes, status, product, dispute, leftToReturn } = order;
  const money = (cents: number) => moneyOf(cents, order.currency);
  const line = { quantity: 1, product: { id: product }, discountedTotalSet: money(order.price) };
  return {
    id,
    name,
    displayFinancialStatus: status,
    customAttributes: attributes,
    cancelledAt: leftToReturn >= 0 ? '2026-01-01T00:00:00Z' : null,
    totalReceivedSet: money(receivedOf(order)),
    totalRefundedSet: money(order.refunded),
    disputes: dispute === null ? [] : [{ initiatedAs: 'CHARGEBACK', status: dispute }],
    lineItems: { nodes: [line] },
    shippingAddress: order.shippingAddress,
  };
}

function viewDraft({ id, created, attributes, price, order }: Draft): object {
  return {
    id,
    createdAt: new Date(created).toISOString(),
    customAttributes: attributes,
    invoiceUrl: `https://ghost.example.com/invoices/${id.split('/').at(-1)}`,
    lineItems: { nodes: [{ quantity: 1, discountedTotalSet: moneyOf(price) }] },
    order: order && viewOrder(order),
  };
}

function pageOf<Row>(rows: readonly Row[], { first, after }: Search, view: (row: Row) => object) {
  const from = Number(after ?? 0);
  const nodes = rows.slice(from, from + first).map(view);
  const end = from + nodes.length;
  return { nodes, pageInfo: { hasNextPage: end < rows.length, endCursor: String(end) } };
}

function faults(...messages: string[]) {
  const userErrors = messages.map((message) => ({ message }));
  return { userErrors, orderCancelUserErrors: userErrors };
}

const ok = (body: unknown): Answer => ({ status: 200, body });
