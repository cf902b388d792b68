/** What Stripe refuses of a Checkout Session, and in which words. */
import type { Answer } from './fake-far-side.ts';

const MOST = 99_999_999;
/** Least amounts of a charge, which docs.stripe.com/currencies lists for some currencies. */
const LEAST: Readonly<Record<string, number>> = { eur: 50, usd: 50, gbp: 30, jpy: 50, chf: 50 };
const THREE_DECIMALS = ['bhd', 'jod', 'kwd', 'omr', 'tnd'];
/** They have no decimals, and are counted in hundredths as before they had none. */
const WHOLE = ['isk', 'ugx'];
const OTHERS = ['huf', 'mga', 'sek', 'twd'];
const CURRENCIES = [...Object.keys(LEAST), ...THREE_DECIMALS, ...WHOLE, ...OTHERS];
const COUNTRIES = 'AT BE CH DE DK ES FI FR GB IE IT JP NL NO PL SE US'.split(' ');
const LOCALES = 'auto de en es fr it ja'.split(' ');
const ADDRESS = /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/;

type Wanted = {
  readonly amount: number;
  readonly currency: string;
  readonly email: string | null;
  readonly locale: string | null;
  readonly countries: readonly string[];
};

export function faultOf({ amount, currency, email, locale, countries }: Wanted): Answer | null {
  if (!CURRENCIES.includes(currency)) return refuse(400, `Invalid currency: ${currency}.`);
  if (amount > MOST) return refuse(400, 'Amount must be no more than 99,999,999.');
  if (amount < (LEAST[currency] ?? 1))
    return refuse(400, 'The total amount is too small.', 'amount_too_small');
  if (THREE_DECIMALS.includes(currency) && amount % 10 !== 0)
    return refuse(400, 'Invalid amount: the last digit must be 0.');
  if (WHOLE.includes(currency) && amount % 100 !== 0) return refuse(400, 'Invalid amount.');
  if (email !== null && !ADDRESS.test(email))
    return refuse(400, `Invalid email address: ${email}`, 'email_invalid', 'customer_email');
  if (locale !== null && !LOCALES.includes(locale)) return refuse(400, `Invalid locale: ${locale}`);
  const country = countries.find((one) => !COUNTRIES.includes(one));
  return country === undefined ? null : refuse(400, `Invalid allowed_countries: ${country}`);
}

export function refuse(status: number, message: string, code?: string, param?: string): Answer {
  return { status, body: { error: { type: 'invalid_request_error', message, code, param } } };
}
