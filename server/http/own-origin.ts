/** Whether pages of this origin are ours. Without one, or with a hidden one, there is no saying. */
export function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  publicUrl: string,
): boolean {
  if (origin === undefined || origin === 'null' || origin === publicUrl) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
