export const FRAUD_RULES = {
  'own-mailbox': 'The address is another spelling of the mailbox of the member who invited.',
  'known-mailbox': 'The address is another spelling of a mailbox that is in line already.',
  disposable: 'The address belongs to a service for throwaway mailboxes.',
  unreachable: 'No mail can be delivered to the domain of the address.',
  'address-series': 'Addresses of earlier friends differ from this one by a number alone.',
  'random-address': 'The address looks like random letters.',
  'same-network': 'Many earlier friends of this code joined from this network.',
  'network-flood': 'More friends of this code joined from this network than an office has.',
  'same-browser': 'Earlier friends from this network use the same browser.',
  'no-page': 'The page was not opened before the form was sent.',
  'fast-form': 'The form was sent faster than a person types.',
  'code-on-hold': 'Every new friend of this code is checked.',
} as const;

export type FraudRule = keyof typeof FRAUD_RULES;

/** The credits of a line may have rules that this program does not know. */
export function describeRule(rule: string): string {
  return (FRAUD_RULES as Record<string, string>)[rule] ?? `A rule matched: ${rule}.`;
}
