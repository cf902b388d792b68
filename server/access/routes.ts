/** Access to the operator API, and the calls about it: decision 0061. */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/database.ts';
import type { Limits } from '../guard/limits/limits.ts';
import type { HttpServer, TokenCheck } from '../http/http-server.ts';
import type { OperatorMailer } from '../mail/delivery/direct-mail.ts';
import { requireAccess } from './actor.ts';
import { openIdentify } from './identify.ts';
import { addKeyRoutes } from './keys.ts';
import { addAccountRoutes } from './operators.ts';
import { addPasskeyRoutes } from './passkey-routes.ts';
import { openPasskeys } from './passkeys.ts';
import { openSignInMails } from './sign-in-mails.ts';
import { addSignInRoutes } from './sign-in-routes.ts';

type AccessOptions = {
  readonly database: Database;
  readonly brandName: string;
  readonly publicUrl: string;
  readonly limits: Limits;
  readonly checkToken: TokenCheck;
  readonly mail: OperatorMailer;
  readonly log: FastifyBaseLogger;
};

export function addAccess(operator: HttpServer, options: AccessOptions): void {
  const { publicUrl } = options;
  requireAccess(operator, { identify: openIdentify(options), publicUrl });
  const passkeys = openPasskeys(options);
  const mails = openSignInMails(options);
  operator.addHook('onClose', () => mails.close());
  addSignInRoutes(operator, { ...options, passkeys, mails });
  addAccountRoutes(operator, { ...options, mails });
  addPasskeyRoutes(operator, { ...options, passkeys });
  addKeyRoutes(operator, options);
}
