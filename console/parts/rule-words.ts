/** A rule's finding as a sentence. A newer server may have rules that this page lacks. */
import { DOUBT_RULES } from '../../contract/doubts.ts';

const sentences: Readonly<Record<string, string>> = DOUBT_RULES;

export function describeRule(rule: string): string {
  return sentences[rule] ?? `A rule matched: ${rule}.`;
}
