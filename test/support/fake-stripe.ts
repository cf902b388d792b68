/**
 * A fake of the part of Stripe that the till uses, written from Stripe's public API description
 * (the types and texts of its client, and docs.stripe.com). It refuses unknown parameters, amounts
 * and countries out of range, and shows an expandable field only when it is asked for. Nothing
 * here was ever compared with Stripe itself.
 */
import { createHmac } from 'node:crypto';
import {
  type Answer,
  type Card,
  FakeFarSide,
  type FarPayment,
  type Fault,
  type Move,
  type Way,
} from './fake-far-side.ts';
import { faultOf, refuse } from './stripe-refusals.ts';

type Session = {
  readonly id: string;
  created: number;
  expires_at: number;
  readonly metadata: Record<string, string>;
  readonly amount_total: number;
  readonly currency: string;
  readonly email: string | null;
  readonly locale: string | null;
  readonly isHold: boolean;
  status: 'open' | 'complete' | 'expired';
  intent: string | null;
};
type Intent = {
  readonly id: string;
  created: number;
  readonly metadata: Record<string, string>;
  readonly amount: number;
  readonly currency: string;
  readonly refunds: { id: string; amount: number; status: 'succeeded' | 'failed' }[];
  dispute: 'needs_response' | 'won' | null;
  status: 'succeeded' | 'requires_capture' | 'canceled';
  readonly card: Card;
  /** Until when a hold can be captured. */
  captureBefore: number | null;
};

const HOLD_S = 7 * 24 * 3600;
const OTHER = '00000000-0000-4000-8000-000000000000';
const SHORTEST_S = 30 * 60;
const LONGEST_S = 24 * 3600;

const PRICE = 'line_items[0][price_data]';
const ADDRESSES = 'shipping_address_collection[allowed_countries]';
/** The parameters of a call, whose numbers are not told apart. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  'POST /v1/checkout/sessions': [
    ...['mode', 'client_reference_id', 'expires_at', 'success_url', 'cancel_url', 'locale'],
    ...['customer_email', 'allowed_payment_method_types[0]', 'line_items[0][quantity]'],
    ...[`${PRICE}[currency]`, `${PRICE}[unit_amount]`, `${PRICE}[product_data][name]`],
    ...['metadata[]', 'payment_intent_data[metadata][]', `${ADDRESSES}[0]`],
    'payment_intent_data[capture_method]',
    ...['phone_number_collection[enabled]'],
  ],
  'POST /v1/refunds': ['payment_intent', 'amount'],
  'GET /v1/checkout/sessions': ['created[gte]', 'limit', 'starting_after'],
  'GET /v1/disputes': ['payment_intent', 'limit'],
  'GET /v1/payment_links': ['active'],
  'GET /v1/webhook_endpoints': ['limit'],
};
const nameOf = (field: string) =>
  field.replace(/\[\d+\]/g, '[0]').replace(/(metadata\]?)\[\w+\]$/, '$1[]');
const EXPANDED = /^expand\[\d\]$/;

export class FakeStripe extends FakeFarSide {
  readonly sessions = new Map<string, Session>();
  readonly intents = new Map<string, Intent>();
  paymentLinks: string[] = [];
  webhooks: { url: string; enabled_events: readonly string[] }[] = [];
  /** Where payers send what they buy, as a checkout shows it. */
  shipsTo: { name: string; address: Record<string, string | null> } | null = null;
  phone: string | null = null;
  private readonly answered = new Map<string, { readonly body: string; readonly answer: Answer }>();

  protected answer(
    method: string,
    { pathname, searchParams }: URL,
    { body, headers, fault }: { body: string; headers: Headers; fault: Fault | 'none' },
  ): Answer {
    const [, key] =
      /^Bearer (.k_(?:live|test)_\w+)$/.exec(headers.get('authorization') ?? '') ?? [];
    if (key === undefined || key.startsWith('pk_')) return refuse(401, 'Invalid API Key provided.');
    const form = method === 'GET' ? searchParams : new URLSearchParams(body);
    const known = PARAMETERS[`${method} ${pathname}`] ?? [];
    const unknown = [...form.keys()].find(
      (name) => !known.includes(nameOf(name)) && !(method === 'GET' && EXPANDED.test(name)),
    );
    if (unknown !== undefined) return refuse(400, `Received unknown parameter: ${unknown}`);
    if (method === 'GET') return this.read(pathname, searchParams, key);
    const once = headers.get('idempotency-key');
    const before = once === null ? undefined : this.answered.get(once);
    if (before !== undefined)
      return before.body === body
        ? before.answer
        : refuse(400, 'Keys for idempotent requests can only be used with the same parameters.');
    const isDone = fault !== '500';
    const done = isDone ? this.write(pathname, form) : null;
    const isBroken = fault === '500' || fault === '500-done';
    const answer = isBroken || done === null ? refuse(500, 'An error occurred.') : done;
    // Refused parameters are not remembered, since nothing began.
    if (once !== null && answer.status !== 400) this.answered.set(once, { body, answer });
    return answer;
  }

  private read(path: string, query: URLSearchParams, key: string): Answer {
    const expand = [...query].flatMap(([name, value]) => (EXPANDED.test(name) ? [value] : []));
    const list = (data: object[]) => ({ object: 'list', url: path, data, has_more: false });
    const id = path.split('/').at(-1) ?? '';
    if (path === '/v1/account') {
      const account = `acct_${this.account}`;
      const refused =
        `The provided key '${key}' does not have the required permissions for this endpoint on ` +
        `account '${account}'.`;
      return key.startsWith('rk_') ? refuse(403, refused) : ok({ id: account });
    }
    if (path === '/v1/checkout/sessions') {
      const since = Number(query.get('created[gte]') ?? 0);
      const all = [...this.sessions.values()].filter(({ created }) => created >= since).reverse();
      const from = all.findIndex((one) => one.id === query.get('starting_after')) + 1;
      const data = all.slice(from, from + Number(query.get('limit') ?? 10));
      const has_more = from + data.length < all.length;
      const inner = expand.map((field) => field.replace(/^data\./, ''));
      return ok({ ...list(data.map((one) => this.view(one, inner))), has_more });
    }
    if (path === '/v1/disputes') {
      const intent = this.intents.get(query.get('payment_intent') ?? '');
      const status = intent?.dispute ?? null;
      return ok(list(intent && status ? [{ id: 'dp_1', amount: intent.amount, status }] : []));
    }
    if (path === '/v1/payment_links')
      return ok(list(this.paymentLinks.map((one) => ({ id: one }))));
    if (path === '/v1/webhook_endpoints')
      return ok(list(this.webhooks.map((one) => ({ ...one, status: 'enabled' }))));
    if (path.startsWith('/v1/payment_intents/')) {
      const intent = this.intents.get(id);
      if (intent) this.lapse(intent);
      return intent ? ok(viewIntent(intent, expand)) : missing('payment_intent');
    }
    const session = this.sessions.get(id);
    return session ? ok(this.view(session, expand)) : missing('checkout.session');
  }

  private write(path: string, form: URLSearchParams): Answer {
    if (path === '/v1/checkout/sessions') return this.create(form);
    if (path === '/v1/refunds') return this.refund(form);
    const [, intentId = '', act] = /^\/v1\/payment_intents\/(\w+)\/(\w+)$/.exec(path) ?? [];
    if (act !== undefined) return this.settle(this.intents.get(intentId), act);
    const session = this.sessions.get(path.split('/')[4] ?? '');
    if (session === undefined) return missing('checkout.session');
    this.endByTime(session);
    if (session.status !== 'open')
      return refuse(400, 'Only Checkout Sessions with a status in ["open"] can be expired.');
    session.status = 'expired';
    return ok(this.view(session, []));
  }

  /** Takes what a card holds, or gives it back; neither twice. */
  private settle(intent: Intent | undefined, act: string): Answer {
    if (intent === undefined) return missing('payment_intent');
    this.lapse(intent);
    if (intent.status !== 'requires_capture')
      return refuse(
        400,
        `This PaymentIntent's status is ${intent.status}.`,
        'payment_intent_unexpected_state',
      );
    if (act === 'capture' && intent.card.isRefusing === true)
      return refuse(402, 'Your card was declined.', 'card_declined');
    intent.status = act === 'capture' ? 'succeeded' : 'canceled';
    return ok(viewIntent(intent, []));
  }

  private lapse(intent: Intent): void {
    if (intent.status === 'requires_capture' && (intent.captureBefore ?? 0) <= this.nowS())
      intent.status = 'canceled';
  }

  private refund(form: URLSearchParams): Answer {
    const intent = this.intents.get(form.get('payment_intent') ?? '');
    if (intent === undefined) return missing('payment_intent');
    if (intent.status !== 'succeeded') return refuse(400, 'It has no successful charge to refund.');
    if (intent.dispute === 'needs_response')
      return refuse(400, 'This charge has been charged back.', 'charge_disputed');
    const left = intent.amount - returned(intent);
    if (left === 0) return refuse(400, 'Already refunded.', 'charge_already_refunded');
    const amount = Number(form.get('amount') ?? left);
    if (amount > left) return refuse(400, 'Refund amount is greater than unrefunded amount.');
    const refund = { id: `re_${++this.made}`, amount, status: 'succeeded' as const };
    intent.refunds.push(refund);
    return ok({ object: 'refund', ...refund });
  }

  private create(form: URLSearchParams): Answer {
    const expiresAt = Number(form.get('expires_at'));
    const left = expiresAt - this.nowS();
    if (left < SHORTEST_S || left > LONGEST_S)
      return refuse(400, 'The `expires_at` must be between 30 minutes and 24 hours from now.');
    const amount = Number(form.get(`${PRICE}[unit_amount]`));
    const currency = form.get(`${PRICE}[currency]`) ?? '';
    const email = form.get('customer_email');
    const locale = form.get('locale');
    const fault = faultOf({ amount, currency, email, locale, countries: countriesOf(form) });
    if (fault !== null) return fault;
    const id = `cs_live_${++this.made}`;
    this.sessions.set(id, {
      id,
      created: this.nowS(),
      expires_at: expiresAt,
      status: 'open',
      intent: null,
      metadata: metadataOf(form, 'metadata'),
      amount_total: amount,
      currency,
      email,
      locale,
      isHold: form.get('payment_intent_data[capture_method]') === 'manual',
    });
    return ok(this.view(this.sessions.get(id) as Session, []));
  }

  /** Cards are charged at once. A price may be changed in the dashboard, and shown in dollars. */
  pay(link: string, way: Way = 'plain', card: Card = cardOf(++this.made)): boolean {
    const session = this.sessions.get(link.split('/').at(-1) ?? '');
    if (session === undefined) throw new Error(`Nobody was given ${link}.`);
    this.endByTime(session);
    if (session.status !== 'open') return false;
    session.status = 'complete';
    const amount = way === 'less' ? 100 : session.amount_total;
    const currency = way === 'dollars' ? 'usd' : session.currency;
    session.intent = this.take(amount, currency, session.metadata, {
      card,
      isHold: session.isHold,
    });
    return true;
  }

  payByHand(): string {
    return this.take(9_900, 'eur', {});
  }

  /** Sales of another line that names a pass of this one, and of a line without an id. */
  forge(offerId: string): string[] {
    const named = { line: OTHER, offer: offerId };
    const nameless = { line: 'https://line.example.com', offer: 'x' };
    return [named, nameless].map((metadata) =>
      this.sell({ metadata, status: 'complete', amount: 100 }),
    );
  }

  sellBeside(): string[] {
    return [OTHER, 'https://another.example.org'].map((line) =>
      this.sell({ metadata: { line, offer: OTHER }, status: 'open', amount: 9_900 }),
    );
  }

  /** Returns the payment, or the checkout while it is open. */
  sell({ metadata, status, amount }: Pick<Session, 'metadata' | 'status'> & { amount: number }) {
    const id = `cs_live_${++this.made}`;
    const intent = status === 'complete' ? this.take(amount, 'eur', metadata) : null;
    this.sessions.set(id, {
      id,
      created: this.nowS(),
      expires_at: this.nowS() + 100 * LONGEST_S,
      metadata,
      currency: 'eur',
      amount_total: amount,
      email: null,
      locale: null,
      status,
      intent,
      isHold: false,
    });
    return intent ?? id;
  }

  move(offerId: string, how: Move): boolean {
    const intent = [...this.intents.values()].findLast(
      ({ metadata: { offer, line } }) => offer === offerId && line !== OTHER,
    );
    if (intent === undefined) return false;
    this.lapse(intent);
    if (intent.status === 'requires_capture' && (how === 'capture' || how === 'refund')) {
      intent.status = how === 'capture' ? 'succeeded' : 'canceled';
      return true;
    }
    if (intent.status !== 'succeeded' || how === 'capture') return false;
    const left = intent.amount - returned(intent);
    const last = intent.refunds.findLast(({ status }) => status === 'succeeded');
    if (how === 'refund' || how === 'part') {
      if (left === 0 || intent.dispute === 'needs_response') return false;
      const amount = how === 'part' ? Math.ceil(left / 3) : left;
      intent.refunds.push({ id: `re_${++this.made}`, amount, status: 'succeeded' });
    } else if (how === 'fail') {
      if (last === undefined) return false;
      last.status = 'failed';
    } else if (how === 'dispute') {
      if (intent.dispute !== null) return false;
      intent.dispute = 'needs_response';
    } else {
      if (intent.dispute !== 'needs_response') return false;
      intent.dispute = 'won';
    }
    return true;
  }

  open(): Session[] {
    for (const session of this.sessions.values()) this.endByTime(session);
    return [...this.sessions.values()].filter(({ status }) => status === 'open');
  }

  override holds(): readonly { readonly id: string; readonly offerId: string | null }[] {
    for (const intent of this.intents.values()) this.lapse(intent);
    return [...this.intents.values()]
      .filter(({ status }) => status === 'requires_capture')
      .map(({ id, metadata }) => ({ id, offerId: metadata.offer ?? null }));
  }

  payments(): FarPayment[] {
    const taken = [...this.intents.values()].filter(({ status }) => status === 'succeeded');
    return taken.map((intent) => {
      const isDisputed = intent.dispute === 'needs_response';
      return {
        reference: intent.id,
        offerId: intent.metadata.offer ?? null,
        isLate: false,
        cents: intent.amount,
        currency: intent.currency,
        refundedCents: returned(intent),
        isStuck: intent.dispute !== null,
        disputedCents: isDisputed ? intent.amount : 0,
        isRefunded: returned(intent) === intent.amount,
      };
    });
  }

  /** A webhook call about a session, or about the payment of an offer, signed now. */
  notice(about: string, secret: string, type = 'checkout.session.completed') {
    const session = this.sessions.get(about);
    const intent = this.intents.get(about);
    const object = session
      ? this.view(session, [])
      : { object: type.split('.')[0], id: 'x_1', payment_intent: intent?.id ?? null };
    const at = Math.floor(Date.now() / 1000);
    const event = { id: 'evt_1', object: 'event', type, created: at, data: { object } };
    const body = JSON.stringify(event);
    const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    return { body, headers: { 'stripe-signature': `t=${at},v1=${signature}` } };
  }

  private take(
    amount: number,
    currency: string,
    metadata: Record<string, string>,
    { card = cardOf(this.made), isHold = false }: { card?: Card; isHold?: boolean } = {},
  ): string {
    const id = `pi_${++this.made}`;
    const created = this.nowS();
    this.intents.set(id, {
      id,
      created,
      metadata,
      amount,
      currency,
      card,
      refunds: [],
      dispute: null,
      ...(isHold
        ? { status: 'requires_capture', captureBefore: created + HOLD_S }
        : { status: 'succeeded', captureBefore: null }),
    });
    return id;
  }

  private view(session: Session, expand: readonly string[]): object {
    this.endByTime(session);
    const { id, created, metadata, status, intent, expires_at } = session;
    const paid = intent === null ? null : this.intents.get(intent);
    if (paid) this.lapse(paid);
    const inner = expand.filter((field) => field.startsWith('payment_intent'));
    return {
      id,
      object: 'checkout.session',
      created,
      metadata,
      status,
      expires_at,
      collected_information: paid && { shipping_details: this.shipsTo },
      customer_details: paid && { phone: this.phone },
      // Nothing says what it is while money is on hold, so it says nothing of a capture.
      payment_status: paid && !session.isHold ? 'paid' : 'unpaid',
      payment_intent:
        paid && inner.length > 0
          ? viewIntent(
              paid,
              inner.map((field) => field.replace('payment_intent.', '')),
            )
          : intent,
      url: status === 'open' ? `https://checkout.stripe.com/c/pay/${id}` : null,
    };
  }

  private endByTime(session: Session): void {
    if (session.status === 'open' && session.expires_at <= this.nowS()) session.status = 'expired';
  }

  passMs(ms: number): void {
    for (const intent of this.intents.values()) {
      intent.created -= ms / 1000;
      if (intent.captureBefore !== null) intent.captureBefore -= ms / 1000;
    }
    for (const session of this.sessions.values()) {
      session.created -= ms / 1000;
      session.expires_at -= ms / 1000;
    }
  }

  private nowS(): number {
    return Math.floor(Date.now() / 1000);
  }
}

const cardOf = (nth: number): Card => ({ fingerprint: `card ${nth}`, funding: 'credit' });

const returned = ({ refunds }: Intent) =>
  refunds.reduce((sum, { amount, status }) => sum + (status === 'succeeded' ? amount : 0), 0);

function viewIntent(intent: Intent, expand: readonly string[]): object {
  const { id, created, metadata, amount, currency, refunds, dispute, status, card } = intent;
  const hasCharge = expand.some((field) => field.startsWith('latest_charge'));
  const hasRefunds = expand.includes('latest_charge.refunds');
  const charge = {
    id: `ch_${id}`,
    object: 'charge',
    amount_refunded: returned(intent),
    refunded: returned(intent) === amount,
    disputed: dispute !== null,
    payment_method_details: {
      card: {
        fingerprint: card.fingerprint,
        funding: card.funding,
        ...(status === 'requires_capture' && { capture_before: intent.captureBefore }),
      },
    },
    // A charge shows its ten newest refunds alone.
    ...(hasRefunds && {
      refunds: {
        object: 'list',
        data: refunds.toReversed().slice(0, 10),
        has_more: refunds.length > 10,
      },
    }),
  };
  return {
    id,
    object: 'payment_intent',
    created,
    metadata,
    amount,
    currency,
    status,
    amount_received: status === 'succeeded' ? amount : 0,
    amount_capturable: status === 'requires_capture' ? amount : 0,
    latest_charge: hasCharge ? charge : charge.id,
  };
}

const countriesOf = (form: URLSearchParams) =>
  [...form].flatMap(([field, value]) => (field.includes('[allowed_countries]') ? [value] : []));

function metadataOf(form: URLSearchParams, name: string): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([field, value]) => {
      const key = field.startsWith(`${name}[`) ? field.slice(name.length + 1, -1) : null;
      return key === null ? [] : [[key, value]];
    }),
  );
}

const ok = (body: unknown): Answer => ({ status: 200, body });

const missing = (what: string) => refuse(404, `No such ${what}.`, 'resource_missing');
