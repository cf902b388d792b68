/**
 * Answers the API calls of a page at the edge of its network. Routes of Playwright pause every
 * request, and turn the cache of the browser off: a page opened again would cost twice as much.
 */
import type { Page } from 'playwright-core';

/** The answer to a call: JSON, any text, no answer at all, or a broken connection. */
export type Answer =
  | { readonly status?: number; readonly json: unknown }
  | { readonly status?: number; readonly text: string; readonly contentType?: string }
  | 'silence'
  | 'break';

export type SeenCall = {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
};

type Rule = {
  readonly path: string;
  readonly answer: (call: SeenCall) => Answer | Promise<Answer>;
};

/** The newest first. */
const rules = new WeakMap<Page, Rule[]>();

/** Pauses the calls of this page to the API of its site. Call before it opens. */
export async function pauseCalls(page: Page, origin: string): Promise<void> {
  rules.set(page, []);
  const devTools = await page.context().newCDPSession(page);
  devTools.on('Fetch.requestPaused', async ({ requestId, request }) => {
    const { pathname } = new URL(request.url);
    const rule = rules.get(page)?.find(({ path }) => matches(path, pathname));
    const headers = Object.entries(request.headers).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]);
    const body = request.postData === undefined ? null : JSON.parse(request.postData);
    const answer = await rule?.answer({ body, headers: Object.fromEntries(headers) });
    try {
      if (answer === undefined) await devTools.send('Fetch.continueRequest', { requestId });
      else if (answer === 'break')
        await devTools.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
      else if (answer !== 'silence')
        await devTools.send('Fetch.fulfillRequest', { requestId, ...write(answer) });
    } catch {
      // The page has given the call up, or is closed.
    }
  });
  await devTools.send('Fetch.enable', { patterns: [{ urlPattern: `${origin}/api/*` }] });
}

/** Every call to the path, in which `*` is any name, gets this answer: a later one replaces it. */
export function answerPath(page: Page, path: string, answer: Rule['answer']): void {
  const own = rules.get(page);
  if (!own) throw new Error('The calls of this page are not paused.');
  own.unshift({ path, answer });
}

/** Calls to the path, or all calls, reach the server again. */
export function leaveToServer(page: Page, path?: string): void {
  const left = rules.get(page)?.filter((rule) => path !== undefined && rule.path !== path) ?? [];
  rules.set(page, left);
}

function matches(path: string, pathname: string): boolean {
  const [wanted, found] = [path.split('/'), pathname.split('/')];
  return (
    wanted.length === found.length &&
    wanted.every((part, index) => part === '*' || part === found[index])
  );
}

function write(answer: Exclude<Answer, string>) {
  const { status = 200 } = answer;
  const [type, text] =
    'json' in answer
      ? ['application/json', JSON.stringify(answer.json)]
      : [answer.contentType ?? 'application/json', answer.text];
  return {
    responseCode: status,
    responseHeaders: [{ name: 'content-type', value: type }],
    body: Buffer.from(text ?? '').toString('base64'),
  };
}
