/** The whole app on its own database, in the process of the test. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { coarsePaint, ghostSvg } from '../../brand/art/ghost.ts';
import { maskSvg } from '../../brand/art/mask.ts';
import { brand } from '../../brand/brand.ts';
import { openMailRenderer } from '../../mails/mail-renderer.tsx';
import { type App, createApp } from '../../server/app.ts';
import type { Config } from '../../server/config.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { type Engine, openTestDatabase } from '../support/engines.ts';
import { makeTestSite } from './test-site.ts';

const BRAND_DIR = fileURLToPath(new URL('../../brand', import.meta.url));

export const OPERATOR_TOKEN = 'test-operator-token';

export type TestApp = Awaited<ReturnType<typeof openTestApp>>;

export async function openTestApp(
  engine: Engine,
  settings: Partial<Config> = {},
  log: Logger | false = false,
) {
  const { database, dataDir, databaseUrl, close } = await openTestDatabase(engine);
  await prepareSizes(database, brand);
  const site = makeTestSite();
  const config: Config = {
    port: 0,
    host: '127.0.0.1',
    publicUrl: 'https://line.example.com',
    dataDir,
    backupDir: null,
    databaseUrl,
    trustProxy: [],
    inviterEmail: 'full',
    smtpUrl: null,
    smtpCa: null,
    mailFrom: 'waitlist@line.example.com',
    referralCredit: 'settle',
    mailRate: 1000,
    mailHourly: null,
    mailDaily: null,
    isTrial: true,
    dkim: null,
    mailWebhookSecret: null,
    webhookNetworks: [],
    drandRelays: [],
    secretKey: null,
    operatorToken: null,
    shopUrl: null,
    addressDays: 30,
    isMailingDigest: true,
    isLimiting: false,
    logLevel: 'silent',
    ...settings,
  };
  const open = (own: Partial<Config> = {}, ownLog: Logger | false = log): Promise<App> =>
    createApp({
      config: { ...config, ...own },
      brand,
      art: { coarsePaint, ghostSvg, maskSvg },
      brandDir: BRAND_DIR,
      database,
      renderMail: openMailRenderer(brand, readFileSync(join(BRAND_DIR, 'tokens.css'), 'utf8')),
      operatorToken: OPERATOR_TOKEN,
      log: ownLog,
      siteDir: site.siteDir,
    });
  const app = await open();
  return {
    ...app,
    config,
    database,
    /** A second app on the same database, as another node or after a restart. */
    openAnother: open,
    /** Joins and returns the member. */
    async join(email: string, referredBy?: string) {
      const payload = { email, referred_by: referredBy ?? null };
      const response = await app.fastify.inject({
        method: 'POST',
        url: '/api/waitlist/join',
        payload,
      });
      if (response.statusCode !== 201)
        throw new Error(`${response.statusCode} ${response.payload}`);
      return response.json<{ id: string; referral_code: string; position: number }>();
    },
    /** Closes the app and the database, and deletes their files. */
    async remove() {
      await app.close();
      await close();
      site.remove();
    },
  };
}
