/** Domains whose mailboxes anybody may use for an hour. The list is read at the first use. */
import { createRequire } from 'node:module';

/** As published. A new version of the package changes both, which a test makes sure of. */
export const DISPOSABLE_LIST = { version: '1.26.0', publishedAt: '2026-09-21' };

let listed: ReadonlySet<string> | null = null;

/** Whether the domain or one above it is on the list. */
export function isDisposable(domain: string): boolean {
  listed ??= readList();
  for (let rest = domain; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1))
    if (listed.has(rest)) return true;
  return false;
}

function readList(): ReadonlySet<string> {
  // A CommonJS package whose functions read the list anew at each call.
  const { disposableEmailBlocklistSet } = createRequire(import.meta.url)(
    'disposable-email-domains-js',
  ) as typeof import('disposable-email-domains-js');
  return disposableEmailBlocklistSet();
}
