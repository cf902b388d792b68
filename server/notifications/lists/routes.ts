import { addCall } from '../../access/add-call.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { readAddress } from '../../mail/email-rules.ts';
import { liftSuppression } from '../../mail/suppression/store.ts';
import { listFailedMails, listSuppressedAddresses, listWaitingMails } from './list-mails.ts';
import { sendTest, type TestOptions } from './send-test.ts';

type MailRouteOptions = TestOptions & { readonly secretKey: string };

export function addMailRoutes(server: HttpServer, options: MailRouteOptions): void {
  const { database, secretKey } = options;

  addCall(server, 'GET waitingMails', ({ query }) => listWaitingMails(database, query));

  addCall(server, 'GET failedMails', ({ query }) => listFailedMails(database, query));

  addCall(server, 'GET suppressedAddresses', ({ query }) =>
    listSuppressedAddresses(database, query),
  );

  addCall(server, 'POST testMail', ({ actor, body }, reply) =>
    sendTest(options, reply, { actor, email: body.email }),
  );

  addCall(server, 'POST resumeMail', async ({ body }) => {
    const { identity } = readAddress(body.email);
    return { reason: await liftSuppression(database, secretKey, identity) };
  });
}
