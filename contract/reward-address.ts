export const ADDRESS_FIELDS = [
  'name',
  'address_1',
  'address_2',
  'postcode',
  'town',
  'region',
  'country',
  'phone',
] as const;
export type AddressField = (typeof ADDRESS_FIELDS)[number];
/** `country`: ISO 3166-1 alpha-2; a name in addresses from before there was a list of them. */
export type RewardAddress = Readonly<Record<AddressField, string>>;

/** The others are needed in some countries alone: contract/countries.ts. */
export const NEEDED_ADDRESS_FIELDS: readonly AddressField[] = ['name', 'address_1', 'country'];
