import type { RewardAddress } from '../../contract/reward-address.ts';

export const ADDRESS: RewardAddress = {
  name: 'Ada Lovelace',
  address_1: 'Ockham Road 1',
  address_2: '',
  postcode: '10115',
  town: 'Berlin',
  region: '',
  country: 'DE',
  phone: '+49 170 123 456',
};
