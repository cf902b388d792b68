/** Everything behind the links of mails: confirming, and the member's own page. Works without script, cookie or account. */
import type { BrandArt } from '../../brand/brand-shape.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { Templates } from '../pages/templates.ts';
import { addConfirmRoutes } from './confirm-routes.ts';
import { prepareLinkScope } from './link-scope.ts';
import { openMailPages } from './mail-pages.ts';
import { addPreferencesRoutes, type PreferencesOptions } from './preferences-routes.ts';

type LeavingOptions = Omit<PreferencesOptions, 'pages'> & { readonly art: BrandArt; readonly templates: Templates };

export async function addLeavingRoutes(server: HttpServer, { art, templates, ...rest }: LeavingOptions): Promise<void> {
  const options = { ...rest, pages: openMailPages({ art, templates }) };
  await server.register(async (scope: HttpServer) => {
    prepareLinkScope(scope, options);
    addConfirmRoutes(scope, options);
    addPreferencesRoutes(scope, options);
  });
}
