/** Where a visitor came from: sent with the join, kept with the member, shown to both sides. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, pagePaths } from '../../contract/paths.ts';
import { SOURCE_HEADER } from '../../contract/sources.ts';
import { getSource } from '../../server/line/sources/source-store.ts';
import { oneEngine } from '../support/engines.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

let app: TestApp;

describe.each(oneEngine)('the source of a join on the %s engine', (engine) => {
  beforeAll(async () => {
    app = await openTestApp(engine);
  });
  afterAll(() => app.remove());

  async function join(email: string, header?: string) {
    const response = await app.fastify.inject({
      method: 'POST',
      url: apiPaths.join,
      headers: header === undefined ? {} : { [SOURCE_HEADER]: header },
      payload: { email, referred_by: null },
    });
    expect(response.statusCode).toBe(201);
    return getSource(app.database, response.json().id);
  }

  test('comes in its header', async () => {
    expect(await join('a@example.com', 'utm_source=TikTok&referring_host=t.co')).toMatchObject({
      utm_source: 'TikTok',
      referring_host: 't.co',
    });
  });

  test.each([
    ['absent', undefined],
    ['no source', 'hello'],
    ['markup', 'utm_source=%3Cb%3E'],
    ['long', `utm_source=${'a'.repeat(10_000)}`],
    ['the own host', 'referring_host=line.example.com'],
  ])('is nothing when the header is %s, and the join goes on', async (what, header) => {
    const email = `${what.replaceAll(' ', '-')}@example.com`;
    expect(Object.values((await join(email, header)) ?? {}).join('')).toBe('');
  });

  test.each([
    ['landing', pagePaths.landing],
    ['invite', fillPath(pagePaths.invite, '7K3MPQ9XHT')],
  ])('comes in the query when the form of the %s page is posted natively', async (page, path) => {
    const response = await app.fastify.inject({
      method: 'POST',
      url: `${path}?utm_campaign=Drop%201&via=copy`,
      headers: {
        origin: 'https://line.example.com',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: `email=native-${page}@example.com&referred_by=`,
    });
    expect(response.statusCode).toBe(303);
    const id = /[\w-]{36}/.exec(String(response.headers.location))?.[0] ?? '';
    expect(await getSource(app.database, id)).toMatchObject({
      utm_campaign: 'Drop 1',
      via: 'copy',
    });
  });

  test('is part of the export', async () => {
    await join('export@example.com', 'utm_medium=podcast&via=qr');
    const { payload } = await app.fastify.inject({
      url: `${operatorPaths.exportMembers}?format=csv`,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
    const [header = '', ...lines] = payload.split('\r\n');
    const own = lines.find((line) => line.includes('export@example.com'))?.split(',') ?? [];
    const fieldOf = (column: string) => own[header.split(',').indexOf(column)];
    expect(fieldOf('utm_medium')).toBe('podcast');
    expect(fieldOf('via')).toBe('qr');
    expect(fieldOf('referring_host')).toBe('');
  });
});
