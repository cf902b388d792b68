const SHOWN_CHARACTERS = 2;

/** al•••@example.com: enough for a friend to recognise. Three dots hide the length. */
export function maskEmail(email: string): string {
  const at = Math.max(email.lastIndexOf('@'), email.lastIndexOf('＠'));
  const characters = [...email.slice(0, at)];
  const shown = characters.slice(0, characters.length > SHOWN_CHARACTERS ? SHOWN_CHARACTERS : 1);
  return `${shown.join('')}•••${email.slice(at)}`;
}
