import { createRequire } from 'node:module';

/** A test compares both with the installed package. */
export const DISPOSABLE_LIST = { version: '1.26.0', publishedAt: '2026-09-21' };

let listed: ReadonlySet<string> | null = null;

export function isDisposable(domain: string): boolean {
  listed ??= readList();
  for (let rest = domain; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1))
    if (listed.has(rest)) return true;
  return false;
}

function readList(): ReadonlySet<string> {
  // The functions of this CommonJS package read the list anew at each call.
  const { disposableEmailBlocklistSet } = createRequire(import.meta.url)(
    'disposable-email-domains-js',
  ) as typeof import('disposable-email-domains-js');
  return disposableEmailBlocklistSet();
}
