import { useQuery } from '@tanstack/react-query';
import { read } from '../api/queries.ts';
import { Banner } from '../ui/facts.tsx';

const REFRESH_MS = 15_000;

export const healthQuery = read('GET overviewHealth', { refetchInterval: REFRESH_MS });

/** Stands wherever somebody counts on mail, while none leaves. */
export function MailProblem() {
  const problem = useQuery(healthQuery).data?.mail.problem ?? null;
  return problem === null ? null : <Banner tone="ember">{problem}</Banner>;
}
