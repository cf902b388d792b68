import {
  COUNTRIES,
  countryName,
  needsPostcode,
  needsState,
  needsTown,
} from '../contract/countries.ts';
import {
  ADDRESS_FIELDS,
  type AddressField,
  NEEDED_ADDRESS_FIELDS,
  type RewardAddress,
} from '../contract/reward-address.ts';
import { invalidField } from './problem.ts';

const MAX_LENGTH = 100;
const NAMES: Readonly<Record<AddressField, string>> = {
  name: 'a name',
  address_1: 'a street',
  address_2: 'the second line',
  postcode: 'a postcode',
  town: 'a town',
  region: 'a state or region',
  country: 'a country of the list',
  phone: 'a telephone number in digits',
};

/** Throws Problem invalid_field with a sentence that names the line. */
export function readAddress(form: Pick<URLSearchParams, 'get'>): RewardAddress {
  const read = (field: AddressField) => clean(form.get(field) ?? '');
  const address = {
    ...(Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, read(field)])) as RewardAddress),
    phone: cleanPhone(read('phone')),
  };
  const { country, phone } = address;
  const where = COUNTRIES.includes(country) ? ` in ${countryName(country)}` : '';
  const needed = ADDRESS_FIELDS.filter(
    (field) =>
      NEEDED_ADDRESS_FIELDS.includes(field) ||
      (field === 'postcode' && needsPostcode(country)) ||
      (field === 'region' && needsState(country)) ||
      (field === 'town' && needsTown(country)),
  );
  const isWrong = (field: AddressField) =>
    [...address[field]].length > MAX_LENGTH || (address[field] === '' && needed.includes(field));
  const wrong = where === '' ? 'country' : ADDRESS_FIELDS.find(isWrong);
  if (wrong !== undefined)
    throw invalidField(
      `Please go back: an address${where} needs ${NAMES[wrong]}, of ${MAX_LENGTH} characters ` +
        'at most.',
    );
  if (phone !== '' && !/^\+?\d(?: ?\d){4,19}$/.test(phone))
    throw invalidField(`Please go back: write ${NAMES.phone}, or leave the line empty.`);
  return address;
}

/** Reads what a till has asked its payer for. Null without a street or a country. */
export function addressOf(
  found: Readonly<Partial<Record<AddressField, string | null | undefined>>>,
): RewardAddress | null {
  const read = (field: AddressField) => clean(found[field] ?? '').slice(0, MAX_LENGTH);
  const address = Object.fromEntries(
    ADDRESS_FIELDS.map((field) => [field, read(field)]),
  ) as RewardAddress;
  const isUsable = address.address_1 !== '' && COUNTRIES.includes(address.country);
  return isUsable ? { ...address, phone: cleanPhone(address.phone) } : null;
}

function clean(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
}

/** "+49 (0)170/123-45" is "+49 170 123 45", which no spreadsheet takes for a formula. */
function cleanPhone(text: string): string {
  return clean(text.replace('(0)', ' ').replaceAll(/[().\-\u2010-\u2015/]/g, ' '));
}
