/** Text that no column of the database takes, in every call of operators. */
import { expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { readOperatorCalls } from '../http/operator-calls.ts';
import { AS_OWNER, provideApp } from '../http/provide-app.ts';
import { askHostile } from './hostile-ask.ts';

const app = provideApp('postgres');

test.each(['a\0b', 'a\ud800b'])('%j is refused with 422 in every body', async (text) => {
  for (const { method, url, access } of await readOperatorCalls(app)) {
    if (method === 'GET' || method === 'DELETE' || access === 'self') continue;
    for (const payload of [{ text }, { input: { list: [{ text }] } }, { [text]: 1 }]) {
      const request = { method, url, payload: JSON.stringify(payload) };
      const headers = { ...AS_OWNER, 'content-type': 'application/json' };
      const { answer, faults } = await askHostile(app, { ...request, headers });
      expect([url, answer.statusCode, faults]).toEqual([url, 422, []]);
      expect(answer.json().detail).toMatch(/^The field ".+" has characters that cannot be kept\.$/);
    }
  }
});

test('a NUL is refused with 422 in every query and path', async () => {
  for (const { method, path, access } of await readOperatorCalls(app)) {
    if (access === 'self') continue;
    const urls = [`${path.replaceAll(/\{\w+\}/g, 'x')}?text=a%00b`];
    if (path.includes('{')) urls.push(path.replaceAll(/\{\w+\}/g, 'a%00b'));
    for (const url of urls) {
      const { answer, faults } = await askHostile(app, { method, url, headers: AS_OWNER });
      expect([url, answer.statusCode, faults]).toEqual([url, 422, []]);
    }
  }
});

test('a body nested as deep as it is long is refused, or read', async () => {
  const payload = `{"text":${'['.repeat(8_000)}${']'.repeat(8_000)}}`;
  const headers = { ...AS_OWNER, 'content-type': 'application/json' };
  const request = { method: 'POST', url: operatorPaths.findMembers, payload, headers } as const;
  const { answer, faults } = await askHostile(app, request);
  expect([answer.statusCode, faults]).toEqual([422, []]);
});

test.each([
  ['as it is', (text: string) => JSON.stringify(text)],
  ['escaped', (text: string) => `"${text.replaceAll(/[^ -~]/g, escaped)}"`],
])('a campaign of 20,000 characters is kept, sent %s', async (_, write) => {
  const headers = { ...AS_OWNER, 'content-type': 'application/json' };
  const send = (body: string) =>
    app.fastify.inject({
      method: 'POST',
      url: operatorPaths.campaigns,
      payload: `{"subject":"x","body":${write(body)},"filter":{}}`,
      headers,
    });
  for (const letter of ['漢', '🎭']) {
    const text = letter.repeat(20_000);
    expect((await send(text)).json()).toMatchObject({ body: text, problems: [] });
    const refused = await send(`${text}${letter}`);
    expect([refused.statusCode, refused.json().detail]).toEqual([
      422,
      'The field "body" is too long.',
    ]);
  }
});

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
