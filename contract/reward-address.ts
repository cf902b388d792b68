export const ADDRESS_FIELDS = [
  'name',
  'address_1',
  'address_2',
  'postcode',
  'town',
  'country',
] as const;
export type AddressField = (typeof ADDRESS_FIELDS)[number];
export type RewardAddress = Readonly<Record<AddressField, string>>;

export const OPTIONAL_ADDRESS_FIELDS: readonly AddressField[] = ['address_2', 'postcode'];
