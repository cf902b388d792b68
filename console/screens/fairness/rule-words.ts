import { FRAUD_RULES } from '../../../contract/fraud-rules.ts';

const sentences: Readonly<Record<string, string>> = FRAUD_RULES;

export function describeRule(rule: string): string {
  return sentences[rule] ?? `A rule matched: ${rule}.`;
}
