/** What a member may enter to say who invited them. */
import { readReferralCode } from '../../../contract/referral-code-rules.ts';
import { readSource } from '../../line/sources/source-rules.ts';

export type Invite = {
  /** In the spelling in which codes are kept. */
  readonly code: string;
  /** How the link was shared; empty when it does not say. */
  readonly via: string;
};

/**
 * A referral code, or a link to this site with one: an invite link or a landing page with `ref`,
 * with or without `https://`. Null for anything else. `hosts`: the names of this site, with port.
 */
export function readInvite(text: string, hosts: readonly string[]): Invite | null {
  const entered = text.trim();
  const code = readReferralCode(entered);
  if (code !== null) return { code, via: '' };
  const link = readLink(entered);
  if (link === null || !hosts.some((host) => host.toLowerCase() === link.host)) return null;
  const inLink = /^\/invite\/([^/]+)\/?$/.exec(link.pathname)?.[1];
  const linked = readReferralCode(inLink ?? link.searchParams.get('ref') ?? '');
  if (linked === null) return null;
  return { code: linked, via: readSource(link.searchParams, link.host)?.via ?? '' };
}

function readLink(text: string): URL | null {
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  return URL.canParse(url) ? new URL(url) : null;
}
