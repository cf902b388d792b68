import { fileURLToPath } from 'node:url';
import { coarsePaint, ghostSvg } from '../brand/art/ghost.ts';
import { maskSvg } from '../brand/art/mask.ts';
import { brand } from '../brand/brand.ts';
import { operatorPaths } from '../contract/operator/paths.ts';
import { apiPaths } from '../contract/paths.ts';
import { SOURCE_HEADER } from '../contract/sources.ts';
import { createApp } from '../server/app.ts';
import { type Config, readConfig } from '../server/config.ts';
import { openDatabase } from '../server/db/open.ts';
import type { JoinRequest } from '../server/line/join/join-request.ts';
import { loadSecretKey } from '../server/mail/secret-key.ts';
import { loadMailRenderer } from '../server/notifications/open-mail.ts';
import { prepareLine } from '../server/prepare-line.ts';
import { moveClock } from '../test/support/moved-clock.ts';

type Operator = { readonly name: string; readonly email: string };

export const OWNER: Operator = { name: 'Mara Lind', email: 'mara@example.com' };
export const SECOND: Operator = { name: 'Tomas Berg', email: 'tomas@example.com' };
export const VIEWER: Operator = { name: 'Jonas Weber', email: 'jonas@example.com' };

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type Ask = <T>(method: Method, path: string, body?: object) => Promise<T>;

export type Stage = Readonly<Awaited<ReturnType<typeof openStage>>>;

const QUICK = { mailRate: 1000, isLimiting: false } as const satisfies Partial<Config>;

export async function openStage(siteDir: string) {
  const config = { ...readConfig(process.env), ...QUICK };
  const { operatorToken, publicUrl } = config;
  const database = await openDatabase({ ...config, log: () => {} });
  await prepareLine(database, brand);
  const app = await createApp({
    config,
    brand,
    art: { coarsePaint, ghostSvg, maskSvg },
    brandDir: fileURLToPath(new URL('../brand', import.meta.url)),
    database,
    renderMail: await loadMailRenderer(siteDir),
    operatorToken: operatorToken ?? '',
    log: false,
    siteDir,
  });

  async function call(
    { method, path, body }: { method: Method; path: string; body?: object | undefined },
    headers: Readonly<Record<string, string>>,
  ) {
    const options = { method, url: path, headers, ...(body && { payload: body }) };
    const answer = await app.fastify.inject(options);
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.payload}`);
    return answer;
  }
  const askWith =
    (headers: Readonly<Record<string, string>>): Ask =>
    async (method, path, body) => {
      const { payload } = await call({ method, path, body }, headers);
      return payload === '' ? null : JSON.parse(payload);
    };
  const askAsToken = askWith({ authorization: `Bearer ${operatorToken}` });
  let hasOwner = false;

  return {
    database,
    secretKey: await loadSecretKey(config, database),
    ask: askAsToken,
    listen: async () => void (await app.fastify.listen({ host: config.host, port: config.port })),
    async runWork(name: string) {
      const work = app.scheduledWork.find((one) => one.name === name);
      if (work === undefined) throw new Error(`The server has no work called ${name}.`);
      await work.run();
    },
    async join({ email, referredBy, source }: JoinRequest) {
      const body = { email, referred_by: referredBy };
      const from = String(new URLSearchParams({ ...source }));
      const answer = await call(
        { method: 'POST', path: apiPaths.join, body },
        { [SOURCE_HEADER]: from },
      );
      return { body: answer.payload };
    },
    async signIn(operator: Operator) {
      const { link } = await askAsToken<{ link: string }>(
        'POST',
        operatorPaths.signInLinks,
        hasOwner ? { email: operator.email } : {},
      );
      const body = { token: new URL(link).hash.slice(1), ...(!hasOwner && { owner: operator }) };
      const signedIn = await call({ method: 'POST', path: operatorPaths.signIn, body }, {});
      hasOwner = true;
      const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
      return askWith({ cookie, origin: publicUrl, 'sec-fetch-site': 'same-origin' });
    },
    async close() {
      await app.close();
      await database.close();
    },
  };
}

export function goTo(agoMs: number): void {
  moveClock(-Math.round(agoMs));
}
