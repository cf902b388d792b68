import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../api/overview.ts';
import { Banner } from '../ui/states.tsx';

/** Stands wherever somebody counts on mail, while none leaves. */
export function MailProblem() {
  const problem = useQuery(healthQuery).data?.mail.problem ?? null;
  return problem === null ? null : <Banner tone="ember">{problem}</Banner>;
}
