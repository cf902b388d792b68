/** Operators of a test app, signed in as browsers are. */
import type { OperatorRole } from '../../contract/operator/access.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { OPERATOR_TOKEN, type TestApp } from './test-app.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Answer = Awaited<ReturnType<TestApp['fastify']['inject']>>;
export type Ask = (method: Method, url: string, payload?: object) => Promise<Answer>;

type App = Pick<TestApp, 'fastify'>;

export const OWNER = { name: 'Ada', email: 'ada@example.com' };

export function askWith({ fastify }: App, headers: Readonly<Record<string, string>>): Ask {
  return (method, url, payload) =>
    fastify.inject({ method, url, headers, ...(payload && { payload }) });
}

export const asToken = { authorization: `Bearer ${OPERATOR_TOKEN}` };

/** What a browser sends from a page of the console. */
export function fromConsole(cookie: string): Readonly<Record<string, string>> {
  return { cookie, 'sec-fetch-site': 'same-origin', origin: 'https://line.example.com' };
}

/** The token of a new link, as `./waitlist sign-in` gets it. */
export async function makeLink(app: App, email?: string): Promise<string> {
  const answer = await askWith(app, asToken)('POST', operatorPaths.signInLinks, {
    ...(email !== undefined && { email }),
  });
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${answer.payload}`);
  return new URL(answer.json().link).hash.slice(1);
}

/** The cookie that an answer sets, as the browser sends it back. */
export function cookieOf({ headers }: Answer): string {
  return String(headers['set-cookie']).split(';')[0] ?? '';
}

/** The cookie of the first owner, or of the operator with the address. */
export async function signIn(app: App, email?: string): Promise<string> {
  const token = await makeLink(app, email);
  const answer = await askWith(app, {})('POST', operatorPaths.signIn, {
    token,
    ...(email === undefined && { owner: OWNER }),
  });
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.payload}`);
  return cookieOf(answer);
}

/** Invites an operator by the token, and signs them in. */
export async function signInAs(
  app: App,
  operator: { readonly name: string; readonly email: string; readonly role: OperatorRole },
): Promise<{ readonly id: string; readonly cookie: string }> {
  const invited = await askWith(app, asToken)('POST', operatorPaths.operators, operator);
  if (invited.statusCode !== 201) throw new Error(`${invited.statusCode} ${invited.payload}`);
  return { id: invited.json().id, cookie: await signIn(app, operator.email) };
}
