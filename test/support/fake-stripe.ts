/**
 * A fake of the part of Stripe that the till uses, written from Stripe's public API description
 * (docs.stripe.com/api). Nothing here was ever compared with Stripe itself.
 */
import { createHmac } from 'node:crypto';
import { type Answer, FakeFarSide, type FarPayment, type Fault } from './fake-far-side.ts';

type Session = {
  readonly id: string;
  created: number;
  expires_at: number;
  readonly metadata: Record<string, string>;
  readonly amount_total: number;
  readonly currency: string;
  readonly name: string;
  status: 'open' | 'complete' | 'expired';
  intent: string | null;
};
type Intent = {
  readonly id: string;
  created: number;
  readonly metadata: Record<string, string>;
  readonly amount: number;
  readonly currency: string;
  isRefunded: boolean;
};

const SHORTEST_S = 30 * 60;
const LONGEST_S = 24 * 3600;

export class FakeStripe extends FakeFarSide {
  readonly sessions = new Map<string, Session>();
  readonly intents = new Map<string, Intent>();
  paymentLinks: string[] = [];
  webhooks: string[] = [];
  /** Where payers send what they buy, as a checkout shows it. */
  shipsTo: { name: string; address: Record<string, string | null> } | null = null;
  phone: string | null = null;
  private readonly answered = new Map<string, { readonly body: string; readonly answer: Answer }>();
  private made = 0;

  protected answer(
    method: string,
    { pathname, searchParams }: URL,
    { body, headers, fault }: { body: string; headers: Headers; fault: Fault | 'none' },
  ): Answer {
    if (!/^Bearer .k_/.test(headers.get('authorization') ?? ''))
      return refuse(401, 'Invalid API Key provided.');
    if (method === 'GET') return this.read(pathname, searchParams);
    const key = headers.get('idempotency-key');
    const before = key === null ? undefined : this.answered.get(key);
    if (before !== undefined)
      return before.body === body
        ? before.answer
        : refuse(400, 'Keys for idempotent requests can only be used with the same parameters.');
    const isDone = fault !== '500';
    const done = isDone ? this.write(pathname, new URLSearchParams(body)) : null;
    const isBroken = fault === '500' || fault === '500-done';
    const answer = isBroken || done === null ? refuse(500, 'An error occurred.') : done;
    // Refused parameters are not remembered, since nothing began.
    if (key !== null && answer.status !== 400) this.answered.set(key, { body, answer });
    return answer;
  }

  private read(path: string, query: URLSearchParams): Answer {
    const since = Number(query.get('created[gte]') ?? 0);
    const page = <Row extends { id: string; created: number }>(rows: Iterable<Row>) => {
      const all = [...rows].filter(({ created }) => created >= since).reverse();
      const from = all.findIndex(({ id }) => id === query.get('starting_after')) + 1;
      const limit = Number(query.get('limit') ?? 10);
      const data = all.slice(from, from + limit);
      return { object: 'list', url: path, data, has_more: from + limit < all.length };
    };
    const list = (data: object[]) => ({ object: 'list', url: path, data, has_more: false });
    if (path === '/v1/checkout/sessions') {
      const sessions = page(this.sessions.values());
      return ok({ ...sessions, data: sessions.data.map((one) => this.view(one)) });
    }
    if (path === '/v1/payment_intents') {
      const intents = page(this.intents.values());
      return ok({ ...intents, data: intents.data.map(viewIntent) });
    }
    if (path === '/v1/payment_links') return ok(list(this.paymentLinks.map((id) => ({ id }))));
    if (path === '/v1/webhook_endpoints')
      return ok(list(this.webhooks.map((url) => ({ url, status: 'enabled' }))));
    const session = this.sessions.get(path.split('/')[4] ?? '');
    return session ? ok(this.view(session)) : refuse(404, 'No such checkout.session.');
  }

  private write(path: string, form: URLSearchParams): Answer {
    if (path === '/v1/checkout/sessions') return this.create(form);
    if (path === '/v1/refunds') {
      const intent = this.intents.get(form.get('payment_intent') ?? '');
      if (intent === undefined) return refuse(404, 'No such payment_intent.');
      if (intent.isRefunded)
        return refuse(400, 'Charge has already been refunded.', 'charge_already_refunded');
      intent.isRefunded = true;
      return ok({ id: `re_${intent.id}`, object: 'refund', status: 'succeeded' });
    }
    const session = this.sessions.get(path.split('/')[4] ?? '');
    if (session === undefined) return refuse(404, 'No such checkout.session.');
    this.endByTime(session);
    if (session.status !== 'open')
      return refuse(400, 'Only Checkout Sessions with a status in ["open"] can be expired.');
    session.status = 'expired';
    return ok(this.view(session));
  }

  private create(form: URLSearchParams): Answer {
    const expiresAt = Number(form.get('expires_at'));
    const left = expiresAt - this.nowS();
    if (left < SHORTEST_S || left > LONGEST_S)
      return refuse(400, 'The `expires_at` must be between 30 minutes and 24 hours from now.');
    const id = `cs_live_${++this.made}`;
    const price = 'line_items[0][price_data]';
    this.sessions.set(id, {
      ...{ id, created: this.nowS(), expires_at: expiresAt, status: 'open', intent: null },
      metadata: metadataOf(form, 'metadata'),
      amount_total: Number(form.get(`${price}[unit_amount]`)),
      currency: form.get(`${price}[currency]`) ?? '',
      name: form.get(`${price}[product_data][name]`) ?? '',
    });
    return ok(this.view(this.sessions.get(id) as Session));
  }

  pay(link: string): boolean {
    const session = this.sessions.get(link.split('/').at(-1) ?? '');
    if (session === undefined) throw new Error(`Nobody was given ${link}.`);
    this.endByTime(session);
    if (session.status !== 'open') return false;
    session.status = 'complete';
    session.intent = this.take(session.amount_total, session.currency, session.metadata);
    return true;
  }

  payByHand(): string {
    return this.take(9_900, 'eur', {});
  }

  open(): Session[] {
    for (const session of this.sessions.values()) this.endByTime(session);
    return [...this.sessions.values()].filter(({ status }) => status === 'open');
  }

  payments(): FarPayment[] {
    return [...this.intents.values()].map(({ id, metadata, isRefunded }) => ({
      ...{ reference: id, offerId: metadata.offer ?? null, isRefunded, isLate: false },
    }));
  }

  /** A webhook call about a session, signed now. */
  notice(sessionId: string, secret: string, type = 'checkout.session.completed') {
    const session = this.sessions.get(sessionId);
    const body = JSON.stringify({
      ...{ id: 'evt_1', object: 'event', type, created: Math.floor(Date.now() / 1000) },
      data: { object: session ? this.view(session) : { object: 'charge', id: 'ch_1' } },
    });
    const at = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    return { body, headers: { 'stripe-signature': `t=${at},v1=${signature}` } };
  }

  private take(amount: number, currency: string, metadata: Record<string, string>): string {
    const id = `pi_${++this.made}`;
    const created = this.nowS();
    this.intents.set(id, { id, created, metadata, amount, currency, isRefunded: false });
    return id;
  }

  private view(session: Session): object {
    this.endByTime(session);
    const { id, created, metadata, status, intent, expires_at } = session;
    const paid = intent === null ? null : this.intents.get(intent);
    return {
      ...{ id, object: 'checkout.session', created, metadata, status, expires_at },
      collected_information: paid && { shipping_details: this.shipsTo },
      customer_details: paid && { phone: this.phone },
      payment_status: paid ? 'paid' : 'unpaid',
      payment_intent: paid ? viewIntent(paid) : null,
      url: status === 'open' ? `https://checkout.stripe.com/c/pay/${id}` : null,
    };
  }

  private endByTime(session: Session): void {
    if (session.status === 'open' && session.expires_at <= this.nowS()) session.status = 'expired';
  }

  passMs(ms: number): void {
    for (const intent of this.intents.values()) intent.created -= ms / 1000;
    for (const session of this.sessions.values()) {
      session.created -= ms / 1000;
      session.expires_at -= ms / 1000;
    }
  }

  private nowS(): number {
    return Math.floor(Date.now() / 1000);
  }
}

function viewIntent({ id, created, metadata, amount, currency, isRefunded }: Intent): object {
  return {
    ...{ id, object: 'payment_intent', created, metadata, amount, currency },
    ...{ status: 'succeeded', amount_received: amount },
    latest_charge: { id: `ch_${id}`, object: 'charge', refunded: isRefunded },
  };
}

function metadataOf(form: URLSearchParams, name: string): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([field, value]) => {
      const key = field.startsWith(`${name}[`) ? field.slice(name.length + 1, -1) : null;
      return key === null ? [] : [[key, value]];
    }),
  );
}

const ok = (body: unknown): Answer => ({ status: 200, body });

function refuse(status: number, message: string, code?: string): Answer {
  return { status, body: { error: { type: 'invalid_request_error', message, code } } };
}
