import { apiPaths, fillPath } from '../../contract/paths.ts';
import { type Asked, joinOf } from '../../test/limits/visitor.ts';
import type { Sample } from '../members/read-sample.ts';

type Request = Pick<Asked, 'path' | 'headers' | 'body'> & {
  readonly method?: 'POST';
  /** Part of the right answer, and of no other answer. */
  readonly expected: string;
};

/** What a request is made of: its number, and a name that no other one has. */
type Given = { readonly sample: Sample; readonly number: number; readonly name: string };

const readById = (pattern: '/select/:id' | typeof apiPaths.status, { ids }: Sample): Request => {
  const id = pick(ids);
  return { path: fillPath(pattern, id), expected: `"id":"${id}"` };
};

const join = ({ name }: Given, code: string | null): Request => {
  const email = `${name}@mail.example`;
  const asked = joinOf(email, { key: name, ...(code !== null && { code }) });
  return { ...asked, method: 'POST', expected: `"email":"${email}"` };
};

const REQUESTS = {
  constant: () => ({ path: '/constant', expected: '"answer":"' }),
  select: ({ sample }) => readById('/select/:id', sample),
  insert: (given) => ({ ...join(given, null), path: '/insert' }),
  status: ({ sample }) => readById(apiPaths.status, sample),
  join: (given) => join(given, given.number % 2 === 0 ? pick(given.sample.inviterCodes) : null),
  'hot-join': (given) => join(given, given.sample.inviterCodes[0] ?? ''),
  stats: () => ({ path: apiPaths.stats, expected: '"total_signups":' }),
  'verify-referral': ({ sample }) => {
    const path = fillPath(apiPaths.verifyReferral, pick(sample.codes));
    return { path, expected: '"valid":true' };
  },
} satisfies Record<string, (given: Given) => Request>;

export type RequestKind = keyof typeof REQUESTS;

/** Returns a function that makes the next request. No two with different tags have one address. */
export function openRequests(kind: RequestKind, sample: Sample, tag: string): () => Request {
  let number = 0;
  return () => {
    number += 1;
    return REQUESTS[kind]({ sample, number, name: `bench${number}.${tag}` });
  };
}

function pick(list: readonly string[]): string {
  return list[Math.floor(Math.random() * list.length)] ?? '';
}
