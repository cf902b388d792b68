/** Orders as Royal Mail Click & Drop imports them. Decision 0148 has the source. */
import { alpha3Of, countryName, findCountry } from '../../../contract/countries.ts';
import type { RewardAddress } from '../../../contract/reward-address.ts';

export const CARRIER_COLUMNS = [
  'Order reference',
  'Full name',
  'Address line 1',
  'Address line 2',
  'City',
  'County',
  'Postcode',
  'Country',
  'Email',
  'Phone',
] as const;

const MAX_REFERENCE = 40;
const MAX_POSTCODE = 20;
/** A CSV may have no longer numbers, and a telephone number is optional. */
const MAX_DIGITS = 11;
/** Letters that have no accent which could be left out. */
const ROMAN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
  '’': "'",
};

export type PackedParcel = {
  /** What was paid for it: then an owner says first what about the mask. */
  readonly went_back: boolean;
  readonly code: string;
  readonly email: string | null;
  readonly address: RewardAddress | null;
};

/** Why it is not sent, or the carrier's import would refuse it, for the packing list; '' if not. */
export function carrierProblem({ code, address, went_back }: PackedParcel): string {
  if (went_back) return 'its money went back: settle it under Money, and do not send it before';
  if (address === null) return 'paid, no address';
  const { name, postcode, country } = address;
  if (!/^[ -~]+$/.test(romanName(name))) return 'the carrier needs a name in Roman letters';
  if (findCountry(country) === null) return 'the carrier does not know this country';
  if (postcode === '' || postcode.length > MAX_POSTCODE)
    return `the carrier needs a postcode of ${MAX_POSTCODE} characters at most`;
  const isLong = code.length > MAX_REFERENCE;
  return isLong ? `the carrier takes references of ${MAX_REFERENCE} characters at most` : '';
}

export function carrierCells(parcel: PackedParcel): string[] | null {
  const { code, email, address } = parcel;
  if (address === null || carrierProblem(parcel) !== '') return null;
  const { name, address_1, address_2, town, region = '', postcode, phone = '' } = address;
  const country = findCountry(address.country) ?? '';
  const city = town || region || countryName(country);
  const where = [romanName(name), address_1, address_2, city, region, postcode].map(withoutFormula);
  return [code, ...where, alpha3Of(country), email ?? '', digitsOf(phone, country)];
}

function romanName(name: string): string {
  const letters = [...name].map((letter) => ROMAN[letter] ?? letter).join('');
  return letters.normalize('NFD').replaceAll(/\p{M}/gu, '');
}

function digitsOf(phone: string, country: string): string {
  const national = country === 'GB' ? phone.replace(/^(\+|00)44 ?/, '0') : phone;
  const digits = national.replace(/^\+/, '00').replaceAll(/\D/g, '');
  return digits.length <= MAX_DIGITS ? digits : '';
}

/** A label would show the guard of a spreadsheet, so what would need one is left out. */
const withoutFormula = (cell: string) => cell.replace(/^[\s=+\-@\uFF1D\uFF0B\uFF0D\uFF20]+/u, '');
