/**
 * Builds and serves the second brand's site with the same scripts and server as the first one's.
 */
import { fileURLToPath } from 'node:url';
import { buildSite } from '../../scripts/build.ts';
import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { loadMailRenderer } from '../../server/notifications/open-mail.ts';
import { coarsePaint, ghostSvg } from '../fixtures/second-brand/art/ghost.ts';
import { maskSvg } from '../fixtures/second-brand/art/mask.ts';
import { brand } from '../fixtures/second-brand/brand.ts';
import { openTestDatabase } from './engines.ts';
import { freePort } from './server-process.ts';

const BRAND_DIR = fileURLToPath(new URL('../fixtures/second-brand', import.meta.url));
/** The folder of its built site. */
export const SECOND_BRAND_DIST = fileURLToPath(
  new URL('../../.cache/second-brand', import.meta.url),
);

export type SecondBrand = {
  readonly url: string;
  /** Signs the links of its mails. */
  readonly secretKey: string;
  stop(): Promise<void>;
};

const SECRET_KEY = 'the secret key of the second brand';

export async function serveSecondBrand(): Promise<SecondBrand> {
  await buildSite({ outDir: SECOND_BRAND_DIST, brandDir: BRAND_DIR });
  const { database, dataDir, close } = await openTestDatabase('postgres');
  await prepareSizes(database, brand);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const app = await createApp({
    config: readConfig({
      PORT: String(port),
      DATA_DIR: dataDir,
      DRAND_RELAYS: 'off',
      SECRET_KEY,
      DIGEST: 'off',
      LIMITS: 'off',
    }),
    brand,
    art: { coarsePaint, ghostSvg, maskSvg },
    brandDir: BRAND_DIR,
    database,
    renderMail: await loadMailRenderer(SECOND_BRAND_DIST),
    operatorToken: 'second-brand-token',
    log: false,
    siteDir: SECOND_BRAND_DIST,
  });
  await app.fastify.listen({ port, host: '127.0.0.1' });
  return {
    url,
    secretKey: SECRET_KEY,
    async stop() {
      await app.close();
      await close();
    },
  };
}
