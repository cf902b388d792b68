/** The mix of requests: seven joins, two status reads and one landing page in ten. */
import { randomUUID } from 'node:crypto';
import { apiPaths, fillPath } from '../../../contract/paths.ts';

export type Visit = 'join' | 'status' | 'page';
export type Member = {
  readonly id: string;
  readonly email: string;
  readonly referral_code: string;
};

/** Every second join has a referral code. */
export function openVisits(members: readonly Member[]) {
  const prefix = randomUUID().slice(0, 8);
  let round = 0;

  function requestFor(visit: Visit): string {
    const somebody = members[Math.floor(Math.random() * members.length)];
    if (visit === 'page')
      return 'GET / HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nAccept-Encoding: br\r\n\r\n';
    if (visit === 'status')
      return `GET ${fillPath(apiPaths.status, somebody?.id ?? '')} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const referredBy = round % 2 === 0 ? null : (somebody?.referral_code ?? null);
    const body = JSON.stringify({
      email: `${prefix}-${round}@example.com`,
      referred_by: referredBy,
    });
    return (
      `POST ${apiPaths.join} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
      `Idempotency-Key: ${prefix}-${round}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  }

  return {
    next(): { visit: Visit; request: string } {
      round += 1;
      const visit =
        round % 10 === 3 || round % 10 === 8 ? 'status' : round % 10 === 5 ? 'page' : 'join';
      const chosen = visit === 'status' && members.length === 0 ? 'join' : visit;
      return { visit: chosen, request: requestFor(chosen) };
    },
  };
}
