import { isMailProvider, registrableName } from '../../mail/mail-provider-rules.ts';
import { mailboxOf } from '../../mail/mailbox-rules.ts';

/** Whoever owns a domain has any number of mailboxes for its price. */
const TICKETS_OF_NAME = 2;

type Terms = {
  readonly first: number;
  /** Addresses of those who have a mask. */
  readonly holders: readonly string[];
  /** Registrable names of which all enter. */
  readonly names: ReadonlySet<string>;
};

export type Entering<Member> = {
  readonly entrants: readonly Member[];
  /** Members left out, because their mailbox is in, or because it has a mask. */
  readonly sharing: number;
  readonly holding: number;
  /** Members left out, because enough of their domain are in: how many of each registrable name. */
  readonly crowding: ReadonlyMap<string, number>;
};

/**
 * A mailbox enters once, with the best of its members, whatever the spelling of their address. A
 * registrable name that is no mail provider enters twice, unless the terms have it.
 */
export function chooseEntrants<Member extends { readonly identity: string }>(
  members: Iterable<Member>,
  { first, holders, names }: Terms,
): Entering<Member> {
  const withMask = new Set(holders.map(mailboxOf));
  const ofMailbox = new Map<string, Member>();
  const tickets = new Map<string, number>();
  const crowding = new Map<string, number>();
  let [sharing, holding] = [0, 0];
  for (const member of members) {
    if (ofMailbox.size === first) break;
    const mailbox = mailboxOf(member.identity);
    const name = registrableName(mailbox.slice(mailbox.lastIndexOf('@') + 1));
    const taken = tickets.get(name) ?? 0;
    if (withMask.has(mailbox)) holding += 1;
    else if (ofMailbox.has(mailbox)) sharing += 1;
    else if (taken < TICKETS_OF_NAME || isMailProvider(name) || names.has(name)) {
      ofMailbox.set(mailbox, member);
      tickets.set(name, taken + 1);
    } else crowding.set(name, (crowding.get(name) ?? 0) + 1);
  }
  return { entrants: [...ofMailbox.values()], sharing, holding, crowding };
}
