import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { fetchSignature } from './drop.ts';

test('the signature of a round comes from the relay, or a sentence says what to do', async () => {
  const asked: (string | undefined)[] = [];
  const relay = createServer(({ url }, response) => {
    asked.push(url);
    response.end(asked.length === 1 ? '{"round":7,"signature":"abc"}' : '{"error":"early"}');
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
  try {
    expect(await fetchSignature(7, url)).toBe('abc');
    expect(asked).toEqual([
      '/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/public/7',
    ]);
    await expect(fetchSignature(8, url)).rejects.toThrow(/is the round public yet\?/);
  } finally {
    relay.close();
  }
});
