import type { TillSettings } from '../../../contract/operator/drop/till.ts';
import { find, type Till, TillError, UNLIMITED_MS } from './till.ts';

const CODE = '{code}';

export function linkWithCode(url: string, code: string): string {
  const encoded = encodeURIComponent(code);
  return url.includes(CODE) ? url.replaceAll(CODE, () => encoded) : url + encoded;
}

export function openLinkTill({ url, reports }: TillSettings['link']): Till {
  const look = async (id: string) => ({
    id,
    payment: null,
    createdAt: new Date(0),
    state: 'ended' as const,
  });
  const giveBack = async () => {
    throw new TillError('Only the shop behind the link can give it back.', { isFinal: true });
  };
  return {
    longestMs: UNLIMITED_MS,
    identify: async () => ({ farId: 'link', isLive: true }),
    readCost: async () => null,
    create: async ({ offerId: id }) => ({ id, link: null, cents: null, currency: null }),
    read: async (id) => ({ ...(await look(id)), state: 'open' }),
    end: look,
    readPayment: giveBack,
    refund: giveBack,
    list: async () => ({ checkouts: [], payments: [] }),
    readNotice: () => null,
    check: async () => [
      {
        is_good: true,
        sentence: url
          ? `A pass leads to ${linkWithCode(url, 'ABCD-2345')}, with its own code.`
          : 'A pass shows its code alone.',
      },
      find(
        reports,
        'The shop must redeem each pass by the API before it accepts an order.',
        'Nobody says which passes are paid, so passes do not end by themselves. Compare the ' +
          'orders of the shop, and make sure that it refuses orders without a code.',
      ),
    ],
  };
}
