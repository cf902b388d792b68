import { randomUUID } from 'node:crypto';
import {
  apiPaths,
  IDEMPOTENCY_KEY_HEADER,
  landingWithReferral,
  PROOF_HEADER,
  pagePaths,
} from '../../../contract/paths.ts';
import type { ProofChallenge } from '../../../contract/schemas.ts';
import { SOURCE_HEADER } from '../../../contract/sources.ts';
import { solve } from '../../../test/http/raised-risk.ts';
import { type Answered, type Asked, askAs } from '../../../test/limits/visitor.ts';
import type { Visit } from '../visit.ts';

type Browser = Pick<Visit, 'ip' | 'userAgent' | 'language'>;
export type Join = Browser & Pick<Visit, 'email' | 'referringHost'>;

export type Joined = {
  readonly status: number;
  readonly neededProof: boolean;
  /** Null when the join was refused, or the address was in line already. */
  readonly member: { readonly id: string; readonly referral_code: string } | null;
};

const headersOf = ({ userAgent, language }: Browser) => ({
  'user-agent': userAgent,
  ...(language !== '' && { 'accept-language': language }),
});

/** Repeats a lost request as browsers do: the key makes the second join the first one. */
export async function sendPatiently(url: string, ip: string, asked: Asked): Promise<Answered> {
  return await askAs(url, ip, asked).catch(() => askAs(url, ip, asked));
}

export async function openPage(url: string, browser: Browser, code: string | null): Promise<void> {
  const { status } = await sendPatiently(url, browser.ip, {
    path: code === null ? pagePaths.landing : landingWithReferral(code),
    headers: {
      ...headersOf(browser),
      accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'sec-fetch-dest': 'document',
      'sec-fetch-mode': 'navigate',
    },
  });
  if (status !== 200) throw new Error(`The page was answered ${status}.`);
}

export async function sendJoin(url: string, join: Join, code: string | null): Promise<Joined> {
  const headers = {
    ...headersOf(join),
    'content-type': 'application/json',
    origin: url,
    referer: `${url}/`,
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
    [IDEMPOTENCY_KEY_HEADER]: randomUUID(),
    ...(join.referringHost !== null && {
      [SOURCE_HEADER]: `referring_host=${join.referringHost}`,
    }),
  };
  const send = (proof: Record<string, string> = {}): Promise<Answered> =>
    sendPatiently(url, join.ip, {
      path: apiPaths.join,
      method: 'POST',
      headers: { ...headers, ...proof },
      body: JSON.stringify({ email: join.email, referred_by: code }),
    });
  let answer = await send();
  const neededProof = answer.status === 428;
  if (neededProof) {
    const { challenge } = JSON.parse(answer.text) as { challenge: ProofChallenge };
    answer = await send({ [PROOF_HEADER]: await solve(challenge) });
  }
  const { status, text } = answer;
  return { status, neededProof, member: status === 201 ? JSON.parse(text) : null };
}
