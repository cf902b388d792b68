import type { BrandArt } from '../../brand/brand-shape.ts';
import { getDropStanding } from '../drop/views/drop-standing.ts';
import type { HttpServer } from '../http/http-server.ts';
import { logFailure } from '../http/request-log.ts';
import type { Counters } from '../line/funnel/counters.ts';
import type { Line } from '../line/module.ts';
import type { Platform } from '../module.ts';
import type { Visitors } from '../visitors/module.ts';
import { addAssets, addConsolePages, readBuilt } from './pages/assets.ts';
import { openGhostDrawer } from './pages/draw-ghost.ts';
import { addNativeForms } from './pages/native-forms.ts';
import { openPlainInvite } from './pages/plain-invite.ts';
import { openPlainStatus } from './pages/plain-status.ts';
import { addPageRoutes, type Pages } from './pages/routes.ts';
import type { Templates } from './pages/templates.ts';
import { openRenderers } from './share/renderer.ts';
import { addShareRoutes } from './share/routes.ts';
import { openShareImages } from './share/share-images.ts';

type SiteOptions = {
  readonly art: BrandArt;
  readonly brandDir: string;
  readonly artVersion: string;
  readonly siteDir: string;
  readonly templates: Templates;
  readonly pages: Pages;
  readonly line: Line;
  readonly visitors: Visitors;
  readonly counters: Counters;
};

export type Site = ReturnType<typeof openSite>;

export function openSite(platform: Platform, options: SiteOptions) {
  const { config, brand, database, metrics, log } = platform;
  const { art, brandDir, siteDir, templates, pages, counters } = options;
  const { join, verifyCode, inviters } = options.visitors;
  const { getStatus } = options.line;
  const { publicUrl } = config;
  const renderers = openRenderers({
    brandDir,
    onFailure: (error) => logFailure(log, 'error', error, 'a share image could not be drawn'),
  });
  const images = openShareImages(renderers);
  const help = 'Memory held by cached share images.';
  metrics.addGauge('share_images_kept_bytes', help, images.cachedBytes);
  const ghosts = openGhostDrawer({ maskSvg: art.maskSvg, images, verifyCode });
  return {
    images,
    ghosts,
    async addRoutes(server: HttpServer) {
      server.addHook('onListen', async () => renderers.svgs.warmUp());
      const site = { publicUrl, brand, templates, ghosts, inviters };
      const getStanding = (memberId: string) => getDropStanding(database, memberId, brand.language);
      const plainPages = {
        sendPlainStatus: openPlainStatus({ ...site, getStatus, getStanding }),
        sendPlainInvite: openPlainInvite({ templates, ghosts, verifyCode }),
      };
      addPageRoutes(server, pages, { ...site, ...plainPages, counters });
      await addNativeForms(server, { ...site, ...plainPages, pages, join });
      addShareRoutes(server, platform, {
        images,
        version: options.artVersion,
        neutralCard: await readBuilt(siteDir, 'site/og.jpg'),
        verifyCode,
        getStatus,
        counters,
      });
      await addAssets(server, `${siteDir}/site`);
      await addConsolePages(server, siteDir);
    },
    close: () => renderers.close(),
  };
}
