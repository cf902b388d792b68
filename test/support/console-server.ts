/** A server of its own for tests that act from the console, with its operators and members. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type { Campaign } from '../../contract/operator/mail/campaigns.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { EndpointWithSecret } from '../../contract/operator/webhooks/webhooks.ts';
import { apiPaths } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { openDatabase } from '../../server/db/open.ts';
import { DESKTOP, type TestBrowser, type Visitor } from './browser.ts';
import { confirmEverybody } from './confirm-everybody.ts';
import { createMigratedPlace, type DatabasePlace } from './engines.ts';
import { type ServedSite, serveInProcess } from './in-process-server.ts';
import { callAs } from './operator-call.ts';
import { freePort } from './server-process.ts';

const OPERATOR_TOKEN = 'the-operator-token-of-those-who-act';

type VisitOptions = Parameters<TestBrowser['visit']>[0];

export type ConsoleServer = {
  readonly origin: () => string;
  readonly dataDir: () => string;
  /** Everything that the server has printed. */
  readonly output: () => string;
  /** name@example.com joins the line. */
  joinLine(name: string, referredBy?: string | null): Promise<Member>;
  /** Calls the API with the operator's token. Throws its refusal. */
  call<T>(path: string, body?: unknown, method?: string): Promise<T>;
  /** Two members, an allocation, a campaign and a webhook, so that most screens show something. */
  fill(): Promise<{ ada: Member; campaign: Campaign; endpoint: EndpointWithSecret }>;
  /** Only members who have confirmed are frozen. */
  confirmEverybody(): Promise<void>;
  /** A console whose calls carry the operator's token. */
  visit(options?: VisitOptions): Promise<Visitor>;
  /** A console in which nobody is signed in yet. Chromium reports the calls that are refused. */
  visitSignedOut(options?: VisitOptions): Promise<Visitor>;
  /** Signs in by a link, and waits until the first screen is shown. */
  enter(page: Page, email: string): Promise<void>;
  /** Link that `./waitlist sign-in` prints. */
  makeLink(email: string): Promise<string>;
};

/** Call once at the top of a test file. Serves the site as it is shipped, unless told otherwise. */
export function openConsoleServer(
  browser: TestBrowser,
  settings: Readonly<Record<string, string>> = {},
  fillPlace: (place: DatabasePlace) => Promise<void> = async () => {},
): ConsoleServer {
  let place: DatabasePlace;
  let server: ServedSite;
  /** Address with a name, to which browsers bind passkeys. */
  let origin = '';

  beforeAll(async () => {
    place = await createMigratedPlace('postgres');
    await fillPlace(place);
    const port = await freePort();
    origin = `http://localhost:${port}`;
    server = await serveInProcess({
      PORT: String(port),
      PUBLIC_URL: origin,
      DATA_DIR: place.dataDir,
      DATABASE_URL: place.databaseUrl ?? '',
      LIMITS: 'off',
      OPERATOR_TOKEN,
      ...settings,
    });
  });
  afterAll(async () => {
    await server.stop();
    await place.remove();
  });

  const call = <T>(path: string, body?: unknown, method = 'POST') =>
    callAs<T>(OPERATOR_TOKEN, server.url + path, body, method);

  const joinLine = (name: string, referredBy: string | null = null) =>
    call<Member>(apiPaths.join, { email: `${name}@example.com`, referred_by: referredBy });

  const makeLink = async (email: string) =>
    (await call<{ link: string }>(operatorPaths.signInLinks, { email })).link;

  async function confirmMembers(): Promise<void> {
    const database = await openDatabase({ ...place, log: () => {} });
    await confirmEverybody(database);
    await database.close();
  }

  return {
    origin: () => origin,
    dataDir: () => place.dataDir,
    output: () => server.output(),
    call,
    joinLine,
    confirmEverybody: confirmMembers,
    async fill() {
      const reason = 'a test';
      const ada = await joinLine('ada');
      await joinLine('grace', ada.referral_code);
      await confirmMembers();
      const input = { size: 'Large', quantity: 1, note: 'the shoot' };
      await call(operatorPaths.changes, { kind: 'allocate-masks', input, reason });
      const draft = { subject: 'Soon', body: 'Soon.', filter: {} };
      const hook = { url: 'https://hooks.invalid/', events: ['member.joined'], reason };
      return {
        ada,
        campaign: await call(operatorPaths.campaigns, draft),
        endpoint: await call(operatorPaths.webhooks, hook),
      };
    },
    visit(options) {
      return browser.visit({
        hasRunningClock: true,
        viewport: DESKTOP,
        baseURL: origin,
        // A route would do so too, but browsers cache nothing beside one.
        extraHTTPHeaders: { authorization: `Bearer ${OPERATOR_TOKEN}` },
        ...options,
      });
    },
    async visitSignedOut(options) {
      const visitor = await browser.visit({
        hasRunningClock: true,
        viewport: DESKTOP,
        baseURL: origin,
        ...options,
      });
      visitor.allowNoise(/401|403|409/);
      return visitor;
    },
    async enter(page, email) {
      await page.goto(await makeLink(email));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Sign in' }).waitFor();
    },
    makeLink,
  };
}
