/** Checkout Sessions of Stripe: nobody can pay without the address of one. */
import type { Stripe } from 'stripe';
import type { TillSettings } from '../../../contract/operator/drop/till.ts';
import { fillPath, pagePaths } from '../../../contract/paths.ts';
import { HOUR_MS } from '../../durations.ts';
import { addressOf } from '../../postal-address-rules.ts';
import type { TillKeys } from './sealed-keys.ts';
import { unitsOf } from './stripe-rules.ts';
import {
  type FarCheckout,
  find,
  type Hold,
  type Payment,
  type Till,
  type TillContext,
  TillError,
  tryCheckout,
  uuidIn,
} from './till.ts';

const TIMEOUT_MS = 8_000;
/** Stripe holds a session open for a day at most; the margin is for clocks that differ. */
const LONGEST_MS = 24 * HOUR_MS - HOUR_MS / 6;
const PAGE = 100;
const LOCALES =
  'bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms mt nb nl pl ' +
  'pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW';
/** What a restricted key needs, by the names of Stripe's dashboard. */
const RIGHTS =
  'Its key needs the rights to write Checkout Sessions, PaymentIntents, Charges and Refunds, and ' +
  'to read Disputes, Payment Links and Webhook Endpoints.';
/** Refused for good: the others pass, or go when the owner enters another key. */
const FINAL = [400, 402, 404];
/** The money is with the bank, or gone: not a warning, and not won. */
const TAKEN = ['needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review'];
const DISPUTED: readonly string[] = [...TAKEN, 'lost'];
const GIVEN_BACK = ['succeeded', 'pending', 'requires_action'];

export async function openStripeTill(
  options: TillContext & TillSettings['stripe'],
  { secretKey = '', webhookSecret = '' }: TillKeys,
): Promise<Till> {
  const { cents, countries, lineId, publicUrl, brandName, language, noticesUrl } = options;
  const currency = options.currency.toLowerCase();
  const { Stripe: Client } = await import('stripe');
  const stripe = new Client(secretKey, {
    httpClient: Client.createFetchHttpClient(options.fetch as typeof globalThis.fetch),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
  });

  async function call<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Client.errors.StripeError)) throw error;
      const { statusCode: status, message, headers, code } = error;
      if (status === undefined) throw new TillError('Stripe did not answer.', { cause: error });
      const retryAfter = Number(headers?.['retry-after']);
      const rights = status === 403 ? ` ${RIGHTS}` : '';
      throw new TillError(`Stripe answered ${status}: ${message}${rights}`, {
        isAnswer: status !== 429 && status !== 409,
        isFinal: FINAL.includes(status),
        retryAfterMs: retryAfter > 0 ? retryAfter * 1000 : null,
        code: code ?? error.param ?? null,
        cause: error,
      });
    }
  }

  const isLive = /^.k_live_/.test(secretKey);
  /** Several lines may share an account. */
  const isOurs = ({ metadata }: Marked) => metadata?.line === lineId;

  async function paymentOf(
    intent: Stripe.PaymentIntent,
    address = shippingOf(intent.shipping, intent.shipping?.phone),
  ): Promise<Payment> {
    const { id, amount_received: received, latest_charge: latest } = intent;
    const charge = typeof latest === 'string' ? null : latest;
    const inCents = (units: number) => Math.round(units / unitsOf(intent.currency));
    // A charge shows its ten newest refunds, and of all of them the sum.
    const { data: refunds = [], has_more: hasMore } = charge?.refunds ?? {};
    const refunded = hasMore
      ? charge?.amount_refunded
      : sumOf(refunds, ({ status }) => GIVEN_BACK.includes(status ?? ''));
    const disputes = charge?.disputed
      ? (await call(() => stripe.disputes.list({ payment_intent: id }))).data
      : [];
    return {
      id,
      reference: id,
      offerId: uuidIn(intent.metadata.offer),
      cents: inCents(received),
      maskCents: inCents(received),
      currency: intent.currency,
      refundedCents: inCents(refunded ?? 0),
      disputedCents: inCents(sumOf(disputes, ({ status }) => DISPUTED.includes(status))),
      problem: null,
      address,
    };
  }

  function holdOf({ amount_capturable, currency, latest_charge: charge }: Stripe.PaymentIntent) {
    const { fingerprint = null, funding, capture_before: before } = cardOf(charge) ?? {};
    return {
      card: fingerprint,
      isPrepaid: funding === 'prepaid',
      currency,
      captureBefore: before ? new Date(before * 1000) : null,
      cents: Math.round(amount_capturable / unitsOf(currency)),
    } satisfies Hold;
  }

  async function viewOf(session: Stripe.Checkout.Session): Promise<FarCheckout> {
    const { id, payment_intent } = session;
    const intent = typeof payment_intent === 'string' ? null : payment_intent;
    const state = stateOf(session, intent);
    return {
      id,
      state,
      hold: intent && state === 'held' ? holdOf(intent) : null,
      payment: intent && state === 'paid' ? await paymentOf(intent, addressIn(session)) : null,
      createdAt: new Date(session.created * 1000),
    };
  }

  async function settleHold(
    id: string,
    settle: (intentId: string) => Promise<unknown>,
  ): Promise<FarCheckout> {
    const { payment_intent: intent } = await call(() => stripe.checkout.sessions.retrieve(id));
    if (typeof intent === 'string')
      await call(() => settle(intent)).catch((error: TillError) => {
        // What is captured or cancelled already cannot be so again, and is read below.
        if (!error.isFinal) throw error;
      });
    return await read(id);
  }

  async function read(id: string): Promise<FarCheckout> {
    const expand = ['payment_intent.latest_charge.refunds'];
    try {
      return await viewOf(await call(() => stripe.checkout.sessions.retrieve(id, { expand })));
    } catch (error) {
      // The data of a test account can be deleted, and its sessions with it.
      if (!(error instanceof TillError && error.code === 'resource_missing')) throw error;
      return { id, state: 'ended', payment: null, createdAt: new Date(0) };
    }
  }

  const paramsOf = (size: string | null, endsAt: Date): Stripe.Checkout.SessionCreateParams => ({
    mode: 'payment',
    // Other methods are paid days later, when the pass has ended.
    allowed_payment_method_types: ['card'],
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency,
          unit_amount: cents * unitsOf(currency),
          product_data: { name: size === null ? brandName : `${brandName}, size ${size}` },
        },
      },
    ],
    shipping_address_collection: { allowed_countries: countries as Country[] },
    phone_number_collection: { enabled: true },
    locale: (LOCALES.split(' ').includes(language) ? language : 'auto') as 'auto',
    expires_at: Math.floor(endsAt.getTime() / 1000),
    success_url: publicUrl,
    cancel_url: publicUrl,
  });

  return {
    longestMs: LONGEST_MS,
    read,
    async identify() {
      try {
        return { farId: (await call(() => stripe.accounts.retrieveCurrent())).id, isLive };
      } catch (error) {
        // Few restricted keys may read their account; the refusal names it all the same.
        const [farId] = /\bacct_\w+/.exec(error instanceof TillError ? error.message : '') ?? [];
        if (farId === undefined) throw error;
        return { farId, isLive };
      }
    },
    readCost: async () => ({ cents, currency: options.currency }),
    async create({ offerId, memberId, key, size, endsAt, email }) {
      const page = publicUrl + fillPath(pagePaths.status, memberId);
      const metadata = { offer: offerId, line: lineId };
      const params: Stripe.Checkout.SessionCreateParams = {
        ...paramsOf(size, endsAt),
        client_reference_id: offerId,
        metadata,
        payment_intent_data: { metadata, ...(size === null && { capture_method: 'manual' }) },
        success_url: page,
        cancel_url: page,
      };
      const make = (more: { customer_email?: string }, idempotencyKey: string) =>
        call(() => stripe.checkout.sessions.create({ ...params, ...more }, { idempotencyKey }));
      const plainKey = `${key}/plain`;
      const session = await (email === null
        ? make({}, plainKey)
        : make({ customer_email: email }, key).catch((error: TillError) => {
            // An address that Stripe does not know keeps nobody from paying.
            if (!['email_invalid', 'customer_email'].includes(error.code ?? '')) throw error;
            return make({}, plainKey);
          }));
      return { id: session.id, link: session.url, cents, currency };
    },
    async end(id) {
      await call(() => stripe.checkout.sessions.expire(id)).catch((error: TillError) => {
        // One that is paid or has ended cannot be expired, and is read below.
        if (!error.isAnswer) throw error;
      });
      return await read(id);
    },
    holds: {
      capture: (id) => settleHold(id, (intent) => stripe.paymentIntents.capture(intent)),
      release: (id) => settleHold(id, (intent) => stripe.paymentIntents.cancel(intent)),
    },
    readPayment: async (id) =>
      await paymentOf(
        await call(() => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge.refunds'] })),
      ),
    async refund({ id, key }) {
      await call(() =>
        stripe.refunds.create({ payment_intent: id }, { idempotencyKey: key }),
      ).catch((error: TillError) => {
        if (error.code !== 'charge_already_refunded') throw error;
      });
    },
    async list(since) {
      const checkouts: FarCheckout[] = [];
      const created = { gte: Math.floor(since.getTime() / 1000) };
      const expand = ['data.payment_intent.latest_charge.refunds'];
      await call(async () => {
        for await (const listed of stripe.checkout.sessions.list({ created, limit: PAGE, expand }))
          if (isOurs(listed)) checkouts.push(await viewOf(listed));
      });
      return { checkouts, payments: checkouts.flatMap(({ payment }) => payment ?? []) };
    },
    readNotice(headers, body) {
      try {
        const signature = String(headers['stripe-signature'] ?? '');
        const { object } = stripe.webhooks.constructEvent(body, signature, webhookSecret).data;
        const { id, payment_intent, metadata = null } = object as Noticed;
        const ids = [id, payment_intent, metadata?.offer].filter(
          (reference) => typeof reference === 'string',
        );
        return { ids, isOurs: isOurs({ metadata }) };
      } catch {
        return null;
      }
    },
    async check([size = '']) {
      const metadata = { line: lineId, test: 'yes' };
      const made = await tryCheckout(async () => {
        const params = { ...paramsOf(size, new Date(Date.now() + HOUR_MS)), metadata };
        const { id } = await call(() => stripe.checkout.sessions.create(params));
        await call(() => stripe.checkout.sessions.expire(id));
        return { is_good: true, sentence: 'A checkout for a mask was made and ended.' };
      });
      await call(() => stripe.disputes.list({ limit: 1 }));
      const { data: links } = await call(() => stripe.paymentLinks.list({ active: true }));
      const { data: hooks } = await call(() => stripe.webhookEndpoints.list({ limit: PAGE }));
      const hook = hooks.find(({ url, status }) => url === noticesUrl && status === 'enabled');
      const events = hook?.enabled_events ?? [];
      const lacking = events.includes('*') ? [] : EVENTS.filter((event) => !events.includes(event));
      return [
        find(isLive, 'Stripe answers.', 'Stripe answers, but in test mode: no money moves.'),
        ...made,
        find(
          links.length === 0,
          'There is no payment link: only members with a pass can pay.',
          `There are active payment links (${links.length}): whoever has one pays without a ` +
            'pass. Deactivate those that sell masks.',
        ),
        find(
          lacking.length === 0,
          'Its webhook calls this server.',
          `No webhook calls ${noticesUrl} for ${lacking.join(', ')}: what happens is seen ` +
            'within hours, not at once.',
        ),
      ];
    },
  };
}

/** Events by which payments, refunds and disputes are seen at once. */
const EVENTS = [
  ...['checkout.session.completed', 'checkout.session.expired', 'charge.refunded'],
  ...['payment_intent.amount_capturable_updated', 'payment_intent.canceled'],
  ...['charge.dispute.created', 'charge.dispute.closed', 'refund.updated', 'refund.failed'],
] as const;

/** A hold says so by its intent alone: what the session calls paid is told of no capture. */
function stateOf(
  { status, payment_status }: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
): FarCheckout['state'] {
  if (intent?.status === 'requires_capture') return 'held';
  if (status === 'expired' || intent?.status === 'canceled') return 'ended';
  if (status === 'open') return 'open';
  return payment_status !== 'unpaid' || intent?.status === 'succeeded' ? 'paid' : 'pending';
}

const cardOf = (charge: Stripe.PaymentIntent['latest_charge']) =>
  typeof charge === 'string' ? null : charge?.payment_method_details?.card;

const sumOf = <One extends { readonly amount: number }>(
  all: readonly One[],
  counts: (object: One) => boolean,
) => all.filter(counts).reduce((sum, { amount }) => sum + amount, 0);

function addressIn({
  collected_information: found,
  customer_details: payer,
}: Stripe.Checkout.Session) {
  return shippingOf(found?.shipping_details, payer?.phone) ?? undefined;
}

function shippingOf(
  shipping: { name?: string | null; address?: Stripe.Address | null } | null | undefined,
  phone: string | null | undefined,
) {
  const { line1, line2, postal_code, city, state, country } = shipping?.address ?? {};
  const lines = { name: shipping?.name, address_1: line1, address_2: line2 };
  const place = { postcode: postal_code, town: city, region: state, country };
  return addressOf({ ...lines, ...place, phone });
}

type Marked = { readonly metadata: Stripe.Metadata | null };
type Noticed = Partial<Marked> & { readonly id?: unknown; readonly payment_intent?: unknown };
type Country = Stripe.Checkout.SessionCreateParams.ShippingAddressCollection.AllowedCountry;
