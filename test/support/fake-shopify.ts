/**
 * A fake of the part of Shopify that the till uses, written from the public description of its
 * Admin API (shopify.dev). Nothing here was ever compared with Shopify itself. Where the
 * description is silent it does its worst: a search finds late, a checkout that was begun outlives
 * its deleted draft, and a refund takes a while.
 */
import { createHmac } from 'node:crypto';
import { type Answer, FakeFarSide, type FarPayment, type Fault } from './fake-far-side.ts';

type Attribute = { readonly key: string; readonly value: string };
type Order = {
  readonly id: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly isLate: boolean;
  readonly foundFrom: number;
  readonly shippingAddress: Record<string, string | null> | null;
  updated: number;
  status: 'PAID' | 'PENDING' | 'REFUNDED' | 'VOIDED';
  leftToReturn: number;
};
type Draft = {
  readonly id: string;
  readonly email: string | null;
  readonly tags: readonly string[];
  readonly attributes: readonly Attribute[];
  readonly variantId: string;
  readonly reservedUntil: string;
  readonly foundFrom: number;
  created: number;
  updated: number;
  deleted: number | null;
  order: Order | null;
};
type Variables = {
  readonly id?: string;
  readonly search?: string;
  readonly after?: string | null;
  readonly uri?: string;
  readonly input?: {
    readonly email: string;
    readonly tags: string[];
    readonly reserveInventoryUntil: string;
    readonly customAttributes: Attribute[];
    readonly lineItems: { variantId: string; quantity: number }[];
  };
};

const TOKEN = 'shpat_0123456789';
export const PRODUCT = '8001';
const PRODUCT_ID = `gid://shopify/Product/${PRODUCT}`;
const OUTLIVES_MS = 10 * 60_000;
const PRICE = { shopMoney: { amount: '99.0', currencyCode: 'EUR' } };
const FIELD =
  /(draftOrder(Create|Delete|s?)|orderCancel|webhookSubscriptionCreate|orders?|product)\(/;

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
  private made = 1000;

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
    const throttleStatus = { maximumAvailable: 1000, currentlyAvailable: 40, restoreRate: 50 };
    const cost = { requestedQueryCost: 90, actualQueryCost: null, throttleStatus };
    const errors = [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }];
    return { status: 200, body: { errors, extensions: { cost } } };
  }

  private grant({ grant_type: type, client_secret: secret }: Record<string, string>): Answer {
    if (type !== 'client_credentials' || this.isLockedOut || !/^shpss_/.test(secret ?? ''))
      return { status: 400, body: { error: 'invalid_client' } };
    return ok({ access_token: TOKEN, scope: 'write_draft_orders', expires_in: 86_399 });
  }

  private run({ query, variables }: { query: string; variables: Variables }): Answer {
    const field = FIELD.exec(query)?.[1] ?? '';
    const data = this.resolve(field, variables);
    if (data === undefined) throw new Error(`The fake has no field ${field}.`);
    return ok({ data: { [field]: data } });
  }

  private resolve(field: string, { id = '', search = '', after, uri, input }: Variables) {
    const draft = this.drafts.get(id);
    const order = this.orders.get(id);
    switch (field) {
      case 'product':
        return id === PRODUCT_ID ? this.viewProduct() : null;
      case 'draftOrder':
        return draft && draft.deleted === null ? viewDraft(draft) : null;
      case 'order':
        return order ? this.lookAt(order) : null;
      case 'draftOrders':
        return pageOf(this.find(this.drafts, search).filter(isThere), after, viewDraft);
      case 'orders':
        return pageOf(this.find(this.orders, search), after, viewOrder);
      case 'draftOrderCreate':
        return { draftOrder: viewDraft(this.create(input)), userErrors: [] };
      case 'draftOrderDelete':
        if (draft === undefined || draft.deleted !== null) return faults('Draft does not exist');
        draft.deleted = Date.now();
        return faults();
      case 'orderCancel':
        if (order === undefined || order.leftToReturn >= 0) return faults('Cannot be cancelled');
        order.leftToReturn = 1;
        order.updated = Date.now();
        return faults();
      case 'webhookSubscriptionCreate': {
        const isTaken = this.webhooks.has(uri ?? '');
        this.webhooks.add(uri ?? '');
        return isTaken ? faults('Address for this topic has already been taken') : faults();
      }
    }
    return undefined;
  }

  private create(input: Variables['input']): Draft {
    const [line] = input?.lineItems ?? [];
    if (input === undefined || line?.quantity !== 1) throw new Error('One draft sells one mask.');
    if (input.tags.some((tag) => tag.length > 40)) throw new Error('A tag is too long.');
    const now = Date.now();
    const draft: Draft = {
      ...{ id: `gid://shopify/DraftOrder/${++this.made}`, email: input.email, tags: input.tags },
      ...{ attributes: input.customAttributes, variantId: line.variantId },
      reservedUntil: input.reserveInventoryUntil,
      ...{ foundFrom: this.foundFrom(), created: now, updated: now, deleted: null, order: null },
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
    search: string,
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
    if (order.leftToReturn === 0) order.status = order.status === 'PENDING' ? 'VOIDED' : 'REFUNDED';
    if (order.leftToReturn > 0) order.leftToReturn -= 1;
    return viewOrder(order);
  }

  /** Somebody pays at this address; false when it does not take a payment any more. */
  pay(link: string): boolean {
    const draft = this.drafts.get(`gid://shopify/DraftOrder/${link.split('/').at(-1)}`);
    if (draft === undefined) throw new Error(`Nobody was given ${link}.`);
    const isLate = draft.deleted !== null;
    if (draft.order !== null || (isLate && Date.now() - (draft.deleted ?? 0) > OUTLIVES_MS))
      return false;
    draft.order = this.take(draft.attributes, isLate);
    draft.updated = Date.now();
    return true;
  }

  payByHand(): string {
    return this.take([], false).name;
  }

  open(): Draft[] {
    return [...this.drafts.values()].filter((draft) => isThere(draft) && draft.order === null);
  }

  payments(): FarPayment[] {
    return [...this.orders.values()].map(({ name, attributes, status, isLate }) => ({
      reference: name,
      offerId: attributes.find(({ key }) => key === '_offer')?.value ?? null,
      isRefunded: status === 'REFUNDED' || status === 'VOIDED',
      isLate,
    }));
  }

  /** A webhook call about the order of the draft with this link, signed now. */
  notice(link: string, secret: string) {
    const draft = this.drafts.get(`gid://shopify/DraftOrder/${link.split('/').at(-1)}`);
    const notes = (draft?.attributes ?? []).map(({ key: name, value }) => ({ name, value }));
    const body = JSON.stringify({ id: 450789469, note_attributes: notes });
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

  private take(attributes: readonly Attribute[], isLate: boolean): Order {
    const number = ++this.made;
    const id = `gid://shopify/Order/${number}`;
    const order: Order = {
      ...{ id, name: `#${number}`, attributes, isLate, foundFrom: this.foundFrom() },
      ...{ updated: Date.now(), status: 'PAID', leftToReturn: -1 },
      shippingAddress: this.shipsTo,
    };
    this.orders.set(id, order);
    return order;
  }

  private viewProduct(): object {
    return {
      title: 'The mask',
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

function viewOrder({ id, name, attributes, status, shippingAddress }: Order): object {
  return {
    ...{ id, name, displayFinancialStatus: status, customAttributes: attributes },
    totalPriceSet: PRICE,
    shippingAddress,
    lineItems: { nodes: [{ product: { id: PRODUCT_ID } }] },
  };
}

function viewDraft({ id, created, attributes, order }: Draft): object {
  return {
    ...{ id, createdAt: new Date(created).toISOString(), customAttributes: attributes },
    invoiceUrl: `https://ghost.example.com/invoices/${id.split('/').at(-1)}`,
    order: order && viewOrder(order),
  };
}

function pageOf<Row>(
  rows: readonly Row[],
  after: string | null = null,
  view: (row: Row) => object,
) {
  const from = Number(after ?? 0);
  const nodes = rows.slice(from, from + 25).map(view);
  const end = from + nodes.length;
  return { nodes, pageInfo: { hasNextPage: end < rows.length, endCursor: String(end) } };
}

const faults = (...messages: string[]) => ({
  userErrors: messages.map((message) => ({ message })),
});

const ok = (body: unknown): Answer => ({ status: 200, body });
