import { apiPaths } from '../../contract/paths.ts';
import { signLinkToken } from '../../server/mail/link-token.ts';

const VALID_MS = 3_600_000;

/** Confirms a member as the link of their mail does, on a server with this secret key. */
export async function confirmByLink(
  url: string,
  secretKey: string,
  memberId: string,
): Promise<void> {
  const token = signLinkToken(secretKey, {
    purpose: 'confirm',
    memberId,
    mailbox: null,
    expiresAt: new Date(Date.now() + VALID_MS),
  });
  const response = await fetch(url + apiPaths.confirm, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!response.ok) throw new Error(`Confirming was answered ${response.status}.`);
}
