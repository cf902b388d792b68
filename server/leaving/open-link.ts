import type { Database } from '../db/database.ts';
import { type LinkPurpose, readLinkToken } from '../mail/link-token.ts';
import { getRecipients, type Recipient } from '../waitlist/get-recipients.ts';

export type OpenedLink =
  /** Signed by us, of a member who is there. */
  | { readonly state: 'open' | 'expired'; readonly member: Recipient }
  /** Signed by us, of a member who has left. */
  | { readonly state: 'left' }
  | { readonly state: 'wrong' };

/** Whose link a token of a mail is, and whether it still opens everything. */
export async function openLink(
  database: Database,
  secretKey: string,
  { token, purpose }: { token: string; purpose: LinkPurpose },
): Promise<OpenedLink> {
  const claims = readLinkToken(secretKey, { token, purpose });
  if (claims === null) return { state: 'wrong' };
  const member = (await getRecipients(database, [claims.memberId])).get(claims.memberId);
  if (member === undefined) return { state: 'left' };
  return { state: claims.expiresAt.getTime() > Date.now() ? 'open' : 'expired', member };
}
