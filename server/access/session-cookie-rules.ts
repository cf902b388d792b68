const LONGEST_SECONDS = 12 * 3600;

/** The prefix keeps out cookies of other hosts and paths, but works only with HTTPS. */
function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-waitlist_operator' : 'waitlist_operator';
}

export function readSessionCookie(header: string | undefined, publicUrl: string): string | null {
  const prefix = `${sessionCookieName(publicUrl)}=`;
  const pair = header?.split(';').find((part) => part.trim().startsWith(prefix));
  return pair?.trim().slice(prefix.length) || null;
}

/** The `Set-Cookie` header; null ends the session in the browser. */
export function writeSessionCookie(secret: string | null, publicUrl: string): string {
  const name = sessionCookieName(publicUrl);
  return [
    `${name}=${secret ?? ''}`,
    'Path=/',
    `Max-Age=${secret === null ? 0 : LONGEST_SECONDS}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(publicUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ');
}
