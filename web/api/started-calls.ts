/**
 * Calls that the inline script of the page starts before any other script has arrived
 * (web/deferred-entry.ts, docs/decisions/0015-paint-first.md).
 */
declare global {
  var startedCalls: Record<string, Promise<Response> | undefined> | undefined;
}

/** The call of this path, for the first to ask; undefined if none was started. */
export function takeStartedCall(path: string): Promise<Response> | undefined {
  const call = globalThis.startedCalls?.[path];
  if (call) delete globalThis.startedCalls?.[path];
  return call;
}
