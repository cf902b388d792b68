import type { TSchema } from 'typebox';
import type { OperatorCall } from '../../../contract/operator/calls.ts';
import {
  FailedMails,
  ResumedMail,
  SuppressedAddresses,
  TestMail,
  WaitingMails,
} from '../../../contract/operator/mails.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../../contract/schemas.ts';
import { operatorRoutes } from '../../access/route-schemas.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { readAddress } from '../../mail/email-rules.ts';
import { liftSuppression } from '../../mail/suppression/store.ts';
import { listFailedMails, listSuppressedAddresses, listWaitingMails } from './list-mails.ts';
import { sendTest, type TestOptions } from './send-test.ts';

type MailRouteOptions = TestOptions & { readonly secretKey: string };

const route = operatorRoutes('Mail');
const page = <Call extends OperatorCall, Page extends TSchema>(
  call: Call,
  answer: Page,
  order: string,
) =>
  route('read', call, {
    description: `In pages, ${order}`,
    response: { 200: answer, 422: ErrorBody },
  });

export function addMailRoutes(server: HttpServer, options: MailRouteOptions): void {
  const { database, secretKey } = options;

  server.get(
    operatorPaths.waitingMails,
    page('GET waitingMails', WaitingMails, 'oldest first.'),
    ({ query }) => listWaitingMails(database, query),
  );

  server.get(
    operatorPaths.failedMails,
    page('GET failedMails', FailedMails, 'newest first.'),
    ({ query }) => listFailedMails(database, query),
  );

  const named = 'newest first. They are kept as hashes: only members in line are named.';
  server.get(
    operatorPaths.suppressedAddresses,
    page('GET suppressedAddresses', SuppressedAddresses, named),
    ({ query }) => listSuppressedAddresses(database, query),
  );

  server.post(
    operatorPaths.testMail,
    route('write', 'POST testMail', {
      description:
        'Says what the mail server answered, or why it failed. An hour has 20 test mails, of ' +
        "campaigns too, to addresses that are not operators'.",
      response: { 200: TestMail, ...REFUSED_BODY, 429: ErrorBody },
    }),
    ({ actor, body }, reply) => sendTest(options, reply, { actor, email: body.email }),
  );

  server.post(
    operatorPaths.resumeMail,
    route('write', 'POST resumeMail', {
      description: 'Says why it was suppressed; null when it was not.',
      response: { 200: ResumedMail, ...REFUSED_BODY },
    }),
    async ({ body }) => {
      const { identity } = readAddress(body.email);
      return { reason: await liftSuppression(database, secretKey, identity) };
    },
  );
}
