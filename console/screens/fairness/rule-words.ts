import { FRAUD_RULES } from '../../../contract/fraud-rules.ts';

const sentences: Readonly<Record<string, string>> = FRAUD_RULES;

/** The finding of a rule as a sentence. A newer server may have rules that this page lacks. */
export function describeRule(rule: string): string {
  return sentences[rule] ?? `A rule matched: ${rule}.`;
}
