import type { HttpServer, TokenCheck } from '../http/http-server.ts';
import type { OperatorMailer } from '../mail/delivery/direct-mail.ts';
import type { Platform } from '../module.ts';
import { requireAccess } from './actor.ts';
import { openIdentify } from './identify.ts';
import { addKeyRoutes } from './keys.ts';
import { addAccountRoutes } from './operators.ts';
import { addPasskeyRoutes } from './passkey-routes.ts';
import { openPasskeys } from './passkeys.ts';
import { openSignInMails } from './sign-in-mails.ts';
import { addSignInRoutes } from './sign-in-routes.ts';

export function addAccess(
  operator: HttpServer,
  platform: Platform,
  { checkToken, mail }: { readonly checkToken: TokenCheck; readonly mail: OperatorMailer },
): void {
  const { config, database } = platform;
  const identify = openIdentify(platform, checkToken);
  requireAccess(operator, { identify, publicUrl: config.publicUrl });
  const passkeys = openPasskeys(platform);
  const mails = openSignInMails(platform, mail);
  operator.addHook('onClose', () => mails.close());
  addSignInRoutes(operator, platform, { passkeys, mails });
  addAccountRoutes(operator, database, mails);
  addPasskeyRoutes(operator, database, passkeys);
  addKeyRoutes(operator, database);
}
