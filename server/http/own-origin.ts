/** A missing or hidden origin counts as our own. */
export function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  publicUrl: string,
): boolean {
  if (origin === undefined || origin === 'null' || origin === publicUrl) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
