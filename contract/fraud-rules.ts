export const FRAUD_RULES = {
  'own-mailbox': 'The address is another spelling of the mailbox of the member who invited.',
  'known-mailbox': 'The address is another spelling of a mailbox that is in line already.',
  disposable: 'The address belongs to a service for throwaway mailboxes.',
  'disposable-friends': 'Several friends of this code have throwaway mailboxes.',
  unreachable: 'No mail can be delivered to the domain of the address.',
  'same-network': 'Many friends of this code joined from one network.',
  'network-flood': 'More friends of this code joined from one network than an office has.',
  'referrer-network': 'It joined from the network of the member who invited.',
  'few-networks': 'The friends of this code come from a few networks in turn.',
  ring: 'Several codes have friends from the same few networks.',
  'same-browser': 'The friends of this code use the same browser more often than others do.',
  burst: 'This code brought more friends in an hour than other codes do.',
  'address-series': 'The addresses of many friends differ by a number alone.',
  'address-pattern': 'The addresses of the friends follow one pattern.',
  'random-addresses': 'The addresses of the friends look like random letters.',
  'rare-domain': 'Many friends of this code have an address at one rare domain.',
  'domain-flood': 'Most friends of this code have an address at one rare domain.',
  'no-page': 'The page was not opened before the form was sent.',
  'fast-form': 'The form was sent faster than a person types.',
  'scripted-friends':
    'Most friends of this code sent the form without the page, or faster than a person types.',
  'coupon-site': 'The visitor came from a site that lists discount codes.',
  'coupon-friends': 'Several friends of this code came from sites that list discount codes.',
  'code-on-hold': 'Every new friend of this code is checked.',
} as const;

export type FraudRule = keyof typeof FRAUD_RULES;
