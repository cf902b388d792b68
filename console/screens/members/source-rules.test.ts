import { expect, test } from 'vitest';
import { describeSource } from './source-rules.ts';

const none = { utm_source: '', utm_medium: '', utm_campaign: '', referring_host: '', via: '' };

test.each([
  [{}, null],
  [{ utm_source: 'instagram', utm_campaign: 'spring' }, 'instagram / spring'],
  [{ referring_host: 'news.example', via: 'whatsapp' }, 'from news.example, shared by whatsapp'],
  [{ utm_source: 'mail', via: 'qr' }, 'mail, shared by qr'],
])('the source %j is described as %j', (source, words) => {
  expect(describeSource({ ...none, ...source })).toBe(words);
});
