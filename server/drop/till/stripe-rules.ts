import { decimalsOf } from '../../../contract/operator/drop/price-rules.ts';
import type { TillSettings } from '../../../contract/operator/drop/till.ts';
import { invalidField } from '../../problem.ts';

/** The largest amount of a charge, in Stripe's units. */
const MAX_UNITS = 99_999_999;
/** Stripe counts others in hundredths at least, also those that have no decimals. */
const WITHOUT_DECIMALS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF';
/** Countries of ISO 3166 that Stripe takes as those of a shipping address. */
const COUNTRIES =
  'AC AD AE AF AG AI AL AM AO AQ AR AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR ' +
  'BS BT BV BW BY BZ CA CD CF CG CH CI CK CL CM CN CO CR CV CW CY CZ DE DJ DK DM DO DZ EC EE EG ' +
  'EH ER ES ET FI FJ FK FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HN HR ' +
  'HT HU ID IE IL IM IN IO IQ IS IT JE JM JO JP KE KG KH KI KM KN KR KW KY KZ LA LB LC LI LK LR ' +
  'LS LT LU LV LY MA MC MD ME MF MG MK ML MM MN MO MQ MR MS MT MU MV MW MX MY MZ NA NC NE NG NI ' +
  'NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PY QA RE RO RS RU RW SA SB SC SD SE ' +
  'SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SZ TA TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW ' +
  'TZ UA UG US UY UZ VA VC VE VG VN VU WF WS XK YE YT ZA ZM ZW';

/** How many of Stripe's units the smallest unit of a currency is. */
export function unitsOf(currency: string): number {
  const own = decimalsOf(currency);
  return WITHOUT_DECIMALS.includes(currency.toUpperCase()) ? 1 : 10 ** (Math.max(2, own) - own);
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
  const wrong = countries.filter((country) => !COUNTRIES.split(' ').includes(country));
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
