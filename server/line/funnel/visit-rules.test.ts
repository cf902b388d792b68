import { expect, test } from 'vitest';
import { isVisit } from './visit-rules.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/140.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const get = (agent: string, headers = {}) => ({
  method: 'GET',
  headers: { 'user-agent': agent, ...headers },
});

test.each([
  ['Chrome', CHROME],
  ['Safari', `${IPHONE} Version/18.0 Mobile/15E148 Safari/604.1`],
  ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['an app', `${IPHONE} Mobile/15E148 Instagram 390.0.0.28.85`],
  [
    'a phone called Cubot',
    'Mozilla/5.0 (Linux; Android 13; CUBOT NOTE 50) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
  ],
])('%s is visiting', (_name, agent) => {
  expect(isVisit(get(agent))).toBe(true);
});

test.each([
  ['a crawler', get('Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)')],
  ['a crawler in a browser', get(`${CHROME} (compatible; bingbot/2.0)`)],
  [
    'a link preview',
    get('facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'),
  ],
  ['a messenger', get('WhatsApp/2.24.1 A')],
  ['Slack', get('Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)')],
  ['Skype', get('Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5')],
  ['a headless browser', get(CHROME.replace('Chrome/', 'HeadlessChrome/'))],
  ['a script', get('curl/8.5.0')],
  ['nothing', { method: 'GET', headers: {} }],
  ['HEAD', { ...get(CHROME), method: 'HEAD' }],
  ['a prefetch', get(CHROME, { 'sec-purpose': 'prefetch' })],
  ['a prerender', get(CHROME, { 'sec-purpose': 'prefetch;prerender' })],
  ['an old prefetch', get(CHROME, { purpose: 'prefetch' })],
  ['a frame', get(CHROME, { 'sec-fetch-dest': 'iframe' })],
])('%s is not visiting', (_name, request) => {
  expect(isVisit(request)).toBe(false);
});
