import { expect, test } from 'vitest';
import { openLinkTill } from './link-till.ts';

test('a payment behind a link is neither read nor given back by us', async () => {
  const till = openLinkTill({ url: 'https://shop.example.com/', reports: true });
  const isFinal = { message: 'Only the shop behind the link can give it back.', isFinal: true };
  await expect(till.refund({ id: 'order/1', key: '1' })).rejects.toMatchObject(isFinal);
  await expect(till.readPayment('order/1')).rejects.toMatchObject(isFinal);
});
