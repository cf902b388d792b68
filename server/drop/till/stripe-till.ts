/** Checkout Sessions of Stripe: nobody can pay without the address of one. */
import type { Stripe } from 'stripe';
import { decimalsOf } from '../../../contract/operator/drop/price-rules.ts';
import type { TillSettings, TillTest } from '../../../contract/operator/drop/till.ts';
import { fillPath, pagePaths } from '../../../contract/paths.ts';
import { HOUR_MS } from '../../durations.ts';
import { addressOf } from '../../rewards/address-rules.ts';
import type { TillKeys } from './sealed-keys.ts';
import { type FarCheckout, type Payment, type Till, type TillContext, TillError } from './till.ts';

const TIMEOUT_MS = 8_000;
/** Stripe holds a session open for a day at most; the margin is for clocks that differ. */
const LONGEST_MS = 24 * HOUR_MS - HOUR_MS / 6;
const PAGE = 100;
/** Stripe counts others in hundredths at least, also those that have no decimals. */
const WITHOUT_DECIMALS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF';

/** How many of Stripe's units the smallest unit of a currency is. */
function unitsOf(currency: string): number {
  const own = decimalsOf(currency);
  return WITHOUT_DECIMALS.includes(currency.toUpperCase()) ? 1 : 10 ** (Math.max(2, own) - own);
}

export async function openStripeTill(
  {
    cents,
    currency,
    countries,
    publicUrl,
    brandName,
    fetch,
    noticesUrl,
  }: TillContext & TillSettings['stripe'],
  { secretKey = '', webhookSecret = '' }: TillKeys,
): Promise<Till> {
  const { Stripe: Client } = await import('stripe');
  const stripe = new Client(secretKey, {
    httpClient: Client.createFetchHttpClient(fetch as typeof globalThis.fetch),
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
      throw new TillError(`Stripe answered ${status}: ${message}`, {
        isAnswer: status !== 429 && status !== 409,
        retryAfterMs: retryAfter > 0 ? retryAfter * 1000 : null,
        code: code ?? null,
        cause: error,
      });
    }
  }

  /** Several lines may share an account. */
  const offerOf = (metadata: Stripe.Metadata | null) =>
    metadata?.line === publicUrl ? (metadata.offer ?? null) : null;

  function paymentOf(
    intent: Stripe.PaymentIntent,
    address = shippingOf(intent.shipping, intent.shipping?.phone),
  ): Payment {
    const { id, amount_received: received, latest_charge: charge } = intent;
    return {
      ...{ id, reference: id, offerId: offerOf(intent.metadata) },
      cents: Math.round(received / unitsOf(intent.currency)),
      currency: intent.currency,
      isRefunded: charge !== null && typeof charge !== 'string' && charge.refunded,
      address,
    };
  }

  function viewOf(session: Stripe.Checkout.Session): FarCheckout {
    const { id, status, payment_status, payment_intent: intent } = session;
    const isPaid = status === 'complete' && payment_status !== 'unpaid';
    const unpaid = status === 'open' ? 'open' : status === 'expired' ? 'ended' : 'pending';
    const payment = isPaid && intent !== null && typeof intent !== 'string';
    return {
      ...{ id, offerId: offerOf(session.metadata), state: isPaid ? 'paid' : unpaid },
      payment: payment ? paymentOf(intent, addressIn(session)) : null,
      createdAt: new Date(session.created * 1000),
    };
  }

  const read = async (id: string) =>
    viewOf(
      await call(() =>
        stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] }),
      ),
    );

  return {
    tellsUnpaid: true,
    longestMs: LONGEST_MS,
    read,
    async create({ offerId, memberId, key, size, endsAt }) {
      const page = publicUrl + fillPath(pagePaths.status, memberId);
      const metadata = { offer: offerId, line: publicUrl };
      const session = await call(() =>
        stripe.checkout.sessions.create(
          {
            mode: 'payment',
            // Other methods are paid days later, when the pass has ended.
            allowed_payment_method_types: ['card'],
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: currency.toLowerCase(),
                  unit_amount: cents * unitsOf(currency),
                  product_data: { name: `${brandName}, size ${size}` },
                },
              },
            ],
            client_reference_id: offerId,
            metadata,
            payment_intent_data: { metadata },
            shipping_address_collection: { allowed_countries: countries as Country[] },
            phone_number_collection: { enabled: true },
            expires_at: Math.floor(endsAt.getTime() / 1000),
            success_url: page,
            cancel_url: page,
          },
          { idempotencyKey: key },
        ),
      );
      return { id: session.id, link: session.url };
    },
    async end(id) {
      await call(() => stripe.checkout.sessions.expire(id)).catch((error: TillError) => {
        // One that is paid or has ended cannot be expired, and is read below.
        if (!error.isAnswer) throw error;
      });
      return await read(id);
    },
    async refund({ id, key }) {
      await call(() =>
        stripe.refunds.create({ payment_intent: id }, { idempotencyKey: key }),
      ).catch((error: TillError) => {
        if (error.code !== 'charge_already_refunded') throw error;
      });
    },
    async list(since) {
      const created = { gte: Math.floor(since.getTime() / 1000) };
      return await call(async () => {
        const checkouts: FarCheckout[] = [];
        const payments: Payment[] = [];
        const addresses = new Map<unknown, Payment['address']>();
        for await (const session of stripe.checkout.sessions.list({ created, limit: PAGE })) {
          checkouts.push(viewOf(session));
          const { payment_intent: intent } = session;
          addresses.set(typeof intent === 'string' ? intent : intent?.id, addressIn(session));
        }
        const expand = ['data.latest_charge'];
        for await (const intent of stripe.paymentIntents.list({ created, limit: PAGE, expand }))
          if (intent.status === 'succeeded')
            payments.push(paymentOf(intent, addresses.get(intent.id)));
        return { checkouts, payments };
      });
    },
    readNotice(headers, body) {
      try {
        const signature = String(headers['stripe-signature'] ?? '');
        const { object } = stripe.webhooks.constructEvent(body, signature, webhookSecret).data;
        return 'object' in object && object.object === 'checkout.session' ? object.id : '';
      } catch {
        return null;
      }
    },
    async check() {
      const findings: TillTest['findings'] = [];
      const say = (is_good: boolean, sentence: string) => findings.push({ is_good, sentence });
      await call(() => stripe.checkout.sessions.list({ limit: 1 }));
      const isTest = /^.._test_/.test(secretKey);
      say(
        !isTest,
        isTest ? 'Stripe answers, but in test mode: no money moves.' : 'Stripe answers.',
      );
      const { data: links } = await call(() => stripe.paymentLinks.list({ active: true }));
      say(
        links.length === 0,
        links.length === 0
          ? 'There is no payment link: only members with a pass can pay.'
          : `There are active payment links (${links.length}): whoever has one pays without a ` +
              'pass. Deactivate those that sell masks.',
      );
      const { data: hooks } = await call(() => stripe.webhookEndpoints.list({ limit: PAGE }));
      const isCalled = hooks.some(({ url, status }) => url === noticesUrl && status === 'enabled');
      say(
        isCalled,
        isCalled
          ? 'Its webhook calls this server.'
          : `No webhook calls ${noticesUrl}: payments are seen within minutes, not at once.`,
      );
      return findings;
    },
  };
}

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
  const {
    line1,
    line2,
    postal_code: postcode,
    city: town,
    state,
    country,
  } = shipping?.address ?? {};
  const lines = { name: shipping?.name, address_1: line1, address_2: line2 };
  return addressOf({ ...lines, postcode, town, region: state, country, phone });
}

type Country = Stripe.Checkout.SessionCreateParams.ShippingAddressCollection.AllowedCountry;
