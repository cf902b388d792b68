/** The operator's calls about mail. */
import {
  FailedMails,
  MailPageRequest,
  ResumedMail,
  ResumeMailRequest,
  SuppressedAddresses,
  TestMail,
  TestMailRequest,
  WaitingMails,
} from '../../../contract/operator/mails.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../../contract/schemas.ts';
import type { Database } from '../../db/database.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { type EmailAddress, readEmail } from '../../mail/email-rules.ts';
import { liftSuppression } from '../../mail/suppression/store.ts';
import { Problem } from '../../problem.ts';
import type { Mail } from '../open-mail.ts';
import { listFailedMails, listSuppressedAddresses, listWaitingMails } from './list-mails.ts';

type MailRouteOptions = {
  readonly database: Database;
  readonly secretKey: string;
  readonly mail: Pick<Mail, 'sendTest'>;
};

const TAGS = ['Mail'];

export function addMailRoutes(
  server: HttpServer,
  { database, secretKey, mail }: MailRouteOptions,
): void {
  server.get(
    operatorPaths.waitingMails,
    {
      config: { access: 'read' },
      schema: {
        tags: TAGS,
        summary: 'Mails that wait for their first or next attempt',
        description: 'In pages, oldest first.',
        querystring: MailPageRequest,
        response: { 200: WaitingMails, 422: ErrorBody },
      },
    },
    ({ query }) => listWaitingMails(database, query),
  );

  server.get(
    operatorPaths.failedMails,
    {
      config: { access: 'read' },
      schema: {
        tags: TAGS,
        summary: 'Mails of the last 30 days that never arrived',
        description: 'In pages, newest first.',
        querystring: MailPageRequest,
        response: { 200: FailedMails, 422: ErrorBody },
      },
    },
    ({ query }) => listFailedMails(database, query),
  );

  server.get(
    operatorPaths.suppressedAddresses,
    {
      config: { access: 'read' },
      schema: {
        tags: TAGS,
        summary: 'Addresses that get no mail',
        description:
          'In pages, newest first. They are kept as hashes: only members in line are named.',
        querystring: MailPageRequest,
        response: { 200: SuppressedAddresses, 422: ErrorBody },
      },
    },
    ({ query }) => listSuppressedAddresses(database, query),
  );

  server.post(
    operatorPaths.testMail,
    {
      config: { access: 'write' },
      schema: {
        tags: TAGS,
        summary: 'Send a test mail',
        description: 'Says what the mail server answered, or why it failed.',
        body: TestMailRequest,
        response: { 200: TestMail, ...REFUSED_BODY },
      },
    },
    async ({ body }, reply) => {
      const { email } = readAddress(body.email);
      // A mail server that hangs takes longer than the idle timeout. Injected: no socket.
      reply.raw.socket?.setTimeout?.(0);
      const none = { answer: null, file: null, cause: null, errorCode: null, advice: null };
      const { errorCode, ...result } = { ...none, ...(await mail.sendTest(email)) };
      return { ...result, error_code: errorCode };
    },
  );

  server.post(
    operatorPaths.resumeMail,
    {
      config: { access: 'write' },
      schema: {
        tags: TAGS,
        summary: 'Send mail again to a suppressed address',
        description: 'Says why it was suppressed; null when it was not.',
        body: ResumeMailRequest,
        response: { 200: ResumedMail, ...REFUSED_BODY },
      },
    },
    async ({ body }) => {
      const { identity } = readAddress(body.email);
      return { reason: await liftSuppression(database, secretKey, identity) };
    },
  );
}

function readAddress(text: string): EmailAddress {
  const address = readEmail(text);
  if (address === null) throw new Problem('invalid_field', 'This is not an e-mail address.');
  return address;
}
