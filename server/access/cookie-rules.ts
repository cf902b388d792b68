const DAY_SECONDS = 86_400;

/** `device` says that an operator was signed in before. Browsers keep no cookie for longer. */
const COOKIES = {
  session: { name: 'waitlist_operator', seconds: DAY_SECONDS / 2 },
  device: { name: 'waitlist_device', seconds: 400 * DAY_SECONDS },
} as const;

type Cookie = keyof typeof COOKIES;

/** The prefix keeps out cookies of other hosts and paths, but works only with HTTPS. */
function nameOf(cookie: Cookie, publicUrl: string): string {
  return (publicUrl.startsWith('https:') ? '__Host-' : '') + COOKIES[cookie].name;
}

export function readCookie(
  cookie: Cookie,
  header: string | undefined,
  publicUrl: string,
): string | null {
  const prefix = `${nameOf(cookie, publicUrl)}=`;
  const pair = header?.split(';').find((part) => part.trim().startsWith(prefix));
  return pair?.trim().slice(prefix.length) || null;
}

/** The `Set-Cookie` header; null ends it in the browser. */
export function writeCookie(cookie: Cookie, value: string | null, publicUrl: string): string {
  return [
    `${nameOf(cookie, publicUrl)}=${value ?? ''}`,
    'Path=/',
    `Max-Age=${value === null ? 0 : COOKIES[cookie].seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(publicUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ');
}
