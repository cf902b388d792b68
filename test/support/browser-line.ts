/** Calls the real API of the visited site, as any client would. */
import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';

export function newAddress(): string {
  return `ghost-${randomUUID()}@example.com`;
}

/** `siteUrl` names another site than the usual one. */
export async function joinLine({
  email = newAddress(),
  referredBy = null,
  siteUrl = inject('siteUrl'),
}: {
  email?: string;
  referredBy?: string | null;
  siteUrl?: string;
} = {}): Promise<Member> {
  const response = await fetch(siteUrl + apiPaths.join, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, referred_by: referredBy }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Member;
}

export async function readStatus(memberId: string, siteUrl = inject('siteUrl')): Promise<Member> {
  const response = await fetch(siteUrl + fillPath(apiPaths.status, memberId));
  return (await response.json()) as Member;
}
