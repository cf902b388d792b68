/** Where a reward is sent, as a member wrote it into a form. */
import {
  ADDRESS_FIELDS,
  type AddressField,
  OPTIONAL_ADDRESS_FIELDS,
  type RewardAddress,
} from '../../contract/reward-address.ts';

const MAX_LENGTH = 100;

/** Null when something is missing or too long. */
export function readAddress(form: Pick<URLSearchParams, 'get'>): RewardAddress | null {
  const address = Object.fromEntries(
    ADDRESS_FIELDS.map((field) => [field, clean(form.get(field) ?? '')]),
  ) as Record<AddressField, string>;
  const isComplete = ADDRESS_FIELDS.every(
    (field) => address[field] !== '' || OPTIONAL_ADDRESS_FIELDS.includes(field),
  );
  const isShort = ADDRESS_FIELDS.every((field) => [...address[field]].length <= MAX_LENGTH);
  return isComplete && isShort ? address : null;
}

function clean(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
}
