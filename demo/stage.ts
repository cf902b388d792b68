import { fileURLToPath } from 'node:url';
import { coarsePaint, ghostSvg } from '../brand/art/ghost.ts';
import { maskSvg } from '../brand/art/mask.ts';
import { brand } from '../brand/brand.ts';
import type { SignInLink } from '../contract/operator/access.ts';
import { operatorPaths } from '../contract/operator/paths.ts';
import { createApp } from '../server/app.ts';
import { type Config, readConfig } from '../server/config.ts';
import { openDatabase } from '../server/db/open.ts';
import { prepareSizes } from '../server/drop/stock/stock.ts';
import { loadSecretKey } from '../server/mail/secret-key.ts';
import { loadMailRenderer } from '../server/notifications/open-mail.ts';
import { until } from './clock.ts';
import { hasUnsentMail } from './store.ts';

export const OWNER = { name: 'Mara Lind', email: 'mara@example.com' };

type Method = 'GET' | 'POST';

export type Ask = <T>(method: Method, path: string, body?: object) => Promise<T>;

export type Stage = Readonly<Awaited<ReturnType<typeof openStage>>>;

const QUICK = { mailRate: 1000, isLimiting: false } as const satisfies Partial<Config>;

/** Opens a server in this process that does scheduled work only when it is asked to. */
export async function openStage(siteDir: string) {
  const config = { ...readConfig(process.env), ...QUICK };
  const { operatorToken, publicUrl } = config;
  const database = await openDatabase({ ...config, log: () => {} });
  await prepareSizes(database, brand);
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

  const sendWith =
    (headers: Readonly<Record<string, string>>) =>
    async (method: Method, path: string, body?: object) => {
      const payload = body && { payload: body };
      const answer = await app.fastify.inject({ method, url: path, headers, ...payload });
      if (answer.statusCode < 300) return answer;
      throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.payload}`);
    };
  const askWith =
    (headers: Readonly<Record<string, string>>): Ask =>
    async (...asked) => {
      const { payload } = await sendWith(headers)(...asked);
      return payload === '' ? null : JSON.parse(payload);
    };
  const askAsToken = askWith({ authorization: `Bearer ${operatorToken}` });
  let hasOwner = false;

  async function makeLink(): Promise<string> {
    const wanted = hasOwner ? { email: OWNER.email } : {};
    return (await askAsToken<SignInLink>('POST', operatorPaths.signInLinks, wanted)).link;
  }

  return {
    database,
    secretKey: await loadSecretKey(config, database),
    ask: askAsToken,
    makeLink,
    listen: async () => void (await app.fastify.listen({ host: config.host, port: config.port })),
    async runWork(name: string) {
      const work = app.scheduledWork.find((scheduled) => scheduled.name === name);
      if (work === undefined) throw new Error(`The server has no work called ${name}.`);
      await work.run();
    },
    async settleMail() {
      await until('The mails are sent', async () => !(await hasUnsentMail(database)));
    },
    async signIn() {
      const token = new URL(await makeLink()).hash.slice(1);
      const body = { token, ...(!hasOwner && { owner: OWNER }) };
      const signedIn = await sendWith({})('POST', operatorPaths.signIn, body);
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
