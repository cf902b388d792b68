import { COUNTRIES } from '../../../contract/countries.ts';
import { decimalsOf } from '../../../contract/operator/drop/price-rules.ts';
import type { TillSettings } from '../../../contract/operator/drop/till.ts';
import { invalidField } from '../../problem.ts';

/** The largest amount of a charge, in Stripe's units. */
const MAX_UNITS = 99_999_999;
/** They have no decimals any more, and Stripe counts them in hundredths as before. */
const IN_HUNDREDTHS = ['ISK', 'UGX'];
/** Countries that Stripe does not take for a shipping address. */
const NOT_SENT = 'AS CC CU CX FM HM IR KP MH MP NF PW SY UM VI'.split(' ');

/** How many of Stripe's units the smallest unit of a currency is. */
export function unitsOf(currency: string): number {
  return IN_HUNDREDTHS.includes(currency.toUpperCase()) ? 100 : 1;
}

/** Throws Problem for what Stripe would refuse at the first checkout: a fan would see it. */
export function assertStripe(
  { cents, currency, countries }: TillSettings['stripe'],
  keys: { readonly secret_key?: string | undefined; readonly webhook_secret?: string | undefined },
): void {
  const code = currency.toUpperCase();
  if (!Intl.supportedValuesOf('currency').includes(code))
    throw invalidField(`${code} is no currency: write its code of ISO 4217, such as EUR.`);
  if (cents * unitsOf(code) > MAX_UNITS) throw invalidField('The price is too high for Stripe.');
  if (decimalsOf(code) === 3 && cents % 10 !== 0)
    throw invalidField(`Stripe takes prices in ${code} that end with a zero, such as 9.990.`);
  const wrong = countries.filter(
    (country) => !COUNTRIES.includes(country) || NOT_SENT.includes(country),
  );
  if (wrong.length > 0)
    throw invalidField(
      `Stripe sends nothing to ${wrong.join(', ')}: write codes of ISO 3166, such as DE.`,
    );
  if (keys.secret_key && !/^[sr]k_(live|test)_/.test(keys.secret_key))
    throw invalidField(
      'A secret key of Stripe begins with sk_live_, and a restricted with rk_live_.',
    );
  if (keys.webhook_secret && !keys.webhook_secret.startsWith('whsec_'))
    throw invalidField('The signing secret of a webhook of Stripe begins with whsec_.');
}
