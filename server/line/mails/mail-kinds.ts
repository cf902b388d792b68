/** Kinds of mails to members: features say what theirs say, and the queue knows none of them. */
import type { Brand } from '../../../brand/brand-shape.ts';
import type { MailKind } from '../../../brand/mail-shape.ts';
import type { MailContent } from '../../../contract/mails.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { MailOutcome } from '../../mail/delivery/smtp-failure-rules.ts';
import type { Recipient } from '../get-recipients.ts';

/** A job of the queue. It names a kind and a member, never an address, and what `load` needs. */
export type MailRequest<Kind extends MailKind = MailKind> = {
  readonly kind: Kind;
  readonly memberId: string;
  /** It leaves whatever the mailbox got before. */
  readonly byOperator?: true;
};

/** What a mailbox that has not confirmed gets: how often is in stranger-mail-rules.ts. */
export type Slot = 'first' | 'reminder' | 'link' | 'campaign';

type MailLinks = Readonly<Record<'status' | 'invite' | 'confirm' | 'offer', string>> & {
  reward(level: number | 'mask'): string;
};

type MailStanding = Pick<Recipient, 'position' | 'referralCount' | 'referralCode' | 'isConfirmed'>;

export type Composing<Request, Loaded> = {
  readonly request: Request;
  readonly loaded: Loaded;
  readonly recipient: MailStanding;
  readonly brand: Brand;
  readonly links: MailLinks;
  readonly referralCredit: Config['referralCredit'];
};

/** `before`: an earlier standing, which the member's page compares with the present one. */
export type Composed = MailContent & {
  readonly before?: Pick<MailStanding, 'position' | 'referralCount'> | null;
};

export type MailKindOf<Request extends MailRequest = MailRequest, Loaded = unknown> = {
  /** Without one, it goes to members alone who have confirmed their address. */
  readonly slot?: Slot;
  /** About an offer, or money on a card: it is sent also to whoever stopped mail. */
  readonly isOwed?: boolean;
  /** It is not given up while the mail server does not answer about it. */
  readonly isPatient?: boolean;
  /** It has the hash of the draw. */
  readonly isAboutDrop?: boolean;
  /** Reads what these mails say, in their order, for one attempt. */
  load?(database: Database, requests: readonly Request[]): Promise<readonly Loaded[]>;
  /** The same in every attempt, unless the member has moved. Null if no longer true. */
  compose(mail: Composing<Request, Loaded>): Composed | null;
  mayBegin?(database: Database, request: Request): Promise<boolean>;
  /** Queues mails that wait elsewhere until nothing else is due. Returns how many. */
  queueWaiting?(database: Database, most: number): Promise<number>;
  /** Comes before the queue settles them: after a crash it has them again. Never for `later`. */
  settle?(
    database: Database,
    mails: readonly Pick<Composing<Request, Loaded>, 'request' | 'loaded'>[],
    how: { readonly outcome: MailOutcome; readonly reachesMembers: boolean },
  ): Promise<void>;
};

export type MailKinds = Readonly<Record<MailKind, MailKindOf>>;

export function kindOf(kinds: MailKinds, { kind }: MailRequest): MailKindOf {
  return Object.hasOwn(kinds, kind) ? kinds[kind] : UNKNOWN;
}

/** It is tried for a day, in which the newer program may be back. */
const UNKNOWN: MailKindOf = {
  isOwed: true,
  compose() {
    throw new Error('This program knows no such mail: a newer one queued it.');
  },
};

export type MailSending = {
  /** Lets what was queued leave at once. */
  wake(): void;
  /** False where nobody gets mails: without a mail server, unless the line is a trial. */
  readonly reachesMembers: boolean;
};
