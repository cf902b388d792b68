import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { KIND_LABELS, type MailKind } from '../../../brand/mail-shape.ts';
import { describeFriends } from '../../../contract/friend-words.ts';
import { FIELD_NAMES, memberField } from '../../../contract/member-fields.ts';
import type { MemberDrop } from '../../../contract/operator/drop/drop-facts.ts';
import type { MemberMail } from '../../../contract/operator/mails.ts';
import type {
  Note,
  MemberSheet as Sheet,
  SheetEntry,
} from '../../../contract/operator/member-sheet.ts';
import { fillPath, pagePaths } from '../../../contract/paths.ts';
import { call, readRows, useRead } from '../../api/queries.ts';
import { hasStatus } from '../../api/request.ts';
import { ActionButton } from '../../parts/changes.tsx';
import { changeForm, plainForm } from '../../parts/forms.tsx';
import { MoreButton, QueryContent } from '../../parts/screen.tsx';
import { OFFERS, REWARDS, StatePill, type States } from '../../parts/state-pills.tsx';
import {
  Address,
  CodeText,
  EmptyState,
  ItemList,
  KeyValues,
  Pill,
  RelativeTime,
  Section,
  Stat,
  StatRow,
} from '../../ui/facts.tsx';
import { formatAmount, formatCount, formatDay, formatMoment } from '../../ui/formats.ts';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { filterOf, momentOf } from '../drop/offer-words.ts';
import { nameSource } from '../overview/overview-words.ts';
import { CREDITS, MAIL_LABELS } from './filter-rules.ts';
import { MemberActions } from './member-dialogs.tsx';

type MemberSheetProps = {
  readonly id: string;
  readonly hrefOf: (id: string) => string;
  readonly onClose: () => void;
};

export function MemberSheet({ id, hrefOf, onClose }: MemberSheetProps) {
  const query = useRead('GET member', { at: [id] });
  const isGone = hasStatus(query.error, 404);
  return (
    <SideSheet
      title={query.data?.member.email ?? 'Member'}
      actions={
        query.data && !isGone && <MemberActions member={query.data.member} onGone={onClose} />
      }
      onClose={onClose}
    >
      {isGone ? (
        <EmptyState
          title="Not in line any more"
          action={
            <Link className="button button-secondary" href="/activity">
              Go to Activity
            </Link>
          }
        >
          This member has left, or was removed. A removal is listed in Activity, with its undo.
        </EmptyState>
      ) : (
        <QueryContent query={query} lines={8}>
          {(sheet) => (
            <div className="sheet-parts">
              <MemberFacts sheet={sheet} hrefOf={hrefOf} />
              <DropPart memberId={id} />
              <MailPart mail={sheet.mail} />
              <NotesPart memberId={id} notes={sheet.notes} />
              <AuditPart entries={sheet.audit} />
              <FriendsPart sheet={sheet} hrefOf={hrefOf} />
            </div>
          )}
        </QueryContent>
      )}
    </SideSheet>
  );
}

function AuditPart({ entries }: { entries: readonly SheetEntry[] }) {
  return (
    <Section title="Changes">
      {entries.length === 0 ? (
        <p className="quiet">No operator has changed anything.</p>
      ) : (
        <ul className="note-list">
          {entries.map(({ number, actor, at, summary, reason, undone_by }) => (
            <li key={number}>
              <p className="note-head">
                <span>{actor.name}</span>
                <RelativeTime at={at} />
                {undone_by !== null && <span>undone</span>}
              </p>
              <p>{summary}</p>
              {reason !== null && <p className="quiet">{reason}</p>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function MemberFacts({ sheet, hrefOf }: Pick<MemberSheetProps, 'hrefOf'> & { sheet: Sheet }) {
  const { member, why, brought_by, page } = sheet;
  const { next_tier: next, rewards_unlocked: rewards } = page;
  return (
    <>
      <StatRow label="Position">
        <Stat label="Position" value={`#${formatCount(member.position)}`} isCharged />
        <Stat
          label="Friends"
          value={formatCount(member.referral_count)}
          note={describeFriends(page) || undefined}
        />
        <Stat label="Tier" value={member.tier_level || '—'} />
      </StatRow>
      <p className="quiet">{why}</p>
      <KeyValues
        entries={{
          'Brought by': brought_by ? (
            <Link href={hrefOf(brought_by.id)}>
              <Address email={brought_by.email} />
              <span>{`, #${formatCount(brought_by.position)}`}</span>
            </Link>
          ) : (
            (member.is_invited && 'A member who has left') || null
          ),
          'Their credit':
            member.credit === 'none' ? null : <StatePill states={CREDITS} state={member.credit} />,
          Address:
            member.confirmed_at === null ? (
              <Pill>Not confirmed</Pill>
            ) : (
              `Confirmed ${formatMoment(member.confirmed_at)}`
            ),
          Source: nameSource(member),
          ...factsOf(member),
        }}
      />
      <Section
        title="Their page"
        actions={
          <a href={fillPath(pagePaths.status, member.id)} target="_blank" rel="noreferrer">
            Open
          </a>
        }
      >
        <KeyValues
          entries={{
            Shows: `#${formatCount(page.position)} in line`,
            Rewards: rewards.join(', ') || null,
            'Next reward':
              next && `${next.reward}, at ${formatAmount(next.required_referrals, 'friend')}`,
          }}
        />
      </Section>
    </>
  );
}

function factsOf(member: Sheet['member']) {
  const facts = FIELD_NAMES.filter((name) => memberField(name).isFact).map((name) => {
    const { form, label, head = label } = memberField(name);
    const value = member[name];
    if (value === null || form === 'text') return [head, value];
    if (form === 'time') return [head, formatMoment(String(value))];
    const words = `the ${head.toLowerCase()}`;
    return [head, <CodeText key={name} label={words} value={String(value)} />];
  });
  return Object.fromEntries(facts);
}

function DropPart({ memberId }: { memberId: string }) {
  const query = useRead('GET memberDrop', { at: [memberId] });
  return (
    <Section title="Drop and rewards">
      <QueryContent query={query}>
        {({ wish, entrant, ...given }) => (
          <>
            <KeyValues
              entries={{ Sizes: describeWish(wish), 'Frozen list': describeEntrant(entrant) }}
            />
            {given.offers.length + given.rewards.length > 0 && (
              <ItemList label="Offers and rewards" items={itemsOf(given)} />
            )}
            <ActionButton
              isOffered={entrant?.draw_order != null}
              dialog={changeForm({
                title: 'Offer a mask',
                confirmLabel: 'Offer it',
                undoNote: 'The mail leaves at once: this cannot be undone.',
                want: { kind: 'offer-mask', input: { member_id: memberId } },
              })}
            />
          </>
        )}
      </QueryContent>
    </Section>
  );
}

function itemsOf({ offers, rewards }: Pick<MemberDrop, 'offers' | 'rewards'>) {
  return [
    ...offers.map((offer) => ({
      key: offer.id,
      name: `Mask of drop ${offer.drop}, ${offer.size}`,
      at: momentOf(offer),
      more: <StatePill states={OFFERS} state={filterOf(offer)} />,
    })),
    ...rewards.map(({ tier, reward, state, asked_at, sent_at }) => ({
      key: String(tier),
      name: reward,
      at: sent_at ?? asked_at,
      more: <StatePill states={REWARDS} state={state} />,
    })),
  ];
}

function describeWish({ sizes, takes_any }: MemberDrop['wish']): string {
  if (sizes.length === 0) return 'Any';
  return `${sizes.join(', then ')}${takes_any ? ', then any' : ' only'}`;
}

function describeEntrant(entrant: MemberDrop['entrant']): string | null {
  if (entrant === null) return null;
  const { drop, position, draw_order, chosen_size } = entrant;
  const chosen = chosen_size === null ? '' : `, chosen for ${chosen_size}`;
  const order = draw_order === null ? '' : `, ${formatCount(draw_order)} in the draw order`;
  return `#${formatCount(position)} of drop ${drop}${order}${chosen}`;
}

const STATES: States<string> = {
  waiting: ['Waiting', 'edge'],
  sent: ['Sent', 'charged'],
  kept: ['Kept, not sent', 'ember'],
  refused: ['Refused', 'ember'],
  given_up: ['Given up', 'ember'],
  suppressed: ['Held back', 'plain'],
  obsolete: ['No longer true', 'plain'],
};

function MailPart({ mail: { state, since, mails } }: { mail: MemberMail }) {
  const off = since === null ? '' : `Off since ${formatDay(since)}: `;
  const note = state === 'sending' ? 'On' : `${off}${MAIL_LABELS[state].toLowerCase()}`;
  return (
    <Section title="Mail" note={note}>
      <ItemList
        none="None in the last days."
        items={mails.map(({ kind, state: fate, queued_at, ended_at, cause }) => ({
          key: `${kind} ${queued_at}`,
          name: KIND_LABELS[kind as MailKind] ?? kind,
          at: ended_at ?? queued_at,
          more: <StatePill states={STATES} state={fate} />,
          note: cause,
        }))}
      />
    </Section>
  );
}

const LONGEST_NOTE = 2000;

function NotesPart({ memberId, notes }: { memberId: string; notes: readonly Note[] }) {
  const write = writeNote('Add a note', '', (body) =>
    call('POST notes', { at: [memberId], body: { body } }),
  );
  return (
    <Section
      title="Notes"
      note="Part of the data that the member may ask for."
      actions={<ActionButton dialog={write} />}
    >
      {notes.length === 0 ? (
        <p className="quiet">None.</p>
      ) : (
        <ul className="note-list">
          {notes.map((note) => (
            <NoteItem key={note.id} memberId={memberId} note={note} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function NoteItem({ memberId, note }: { memberId: string; note: Note }) {
  const { id, author, body, written_at, edited_at, is_own: isOffered } = note;
  const at: [string, string] = [memberId, id];
  const title = `Edit the note of ${formatMoment(written_at)}`;
  const removal = plainForm({
    title: 'Delete this note?',
    confirmLabel: 'Delete',
    isDanger: true,
    children: <p className="note-body">{body}</p>,
    make: () => call('DELETE note', { at }),
  });
  const edit = writeNote(title, body, (text) => call('PUT note', { at, body: { body: text } }));
  return (
    <li>
      <p className="note-head">
        <span>{author}</span>
        <RelativeTime at={edited_at ?? written_at} />
        {edited_at && <span>edited</span>}
      </p>
      <p className="note-body">{body}</p>
      <p className="actions">
        <ActionButton label="Edit" variant="quiet" isOffered={isOffered} dialog={edit} />
        <ActionButton label="Delete" variant="quiet" isOffered={isOffered} dialog={removal} />
      </p>
    </li>
  );
}

const writeNote = (title: string, value: string, save: (body: string) => Promise<unknown>) =>
  plainForm({
    title,
    confirmLabel: 'Save',
    fields: {
      body: {
        label: 'Note',
        kind: 'area',
        value,
        missing: 'Please write the note.',
        maxLength: LONGEST_NOTE,
        isRequired: true,
        isFirst: true,
      },
    },
    make: ({ body }) => save(body),
  });

const COUNTED_STATES = ['given', 'pending', 'held', 'refused'] as const;

type FriendsPartProps = {
  readonly sheet: Pick<Sheet, 'member' | 'friends'>;
  readonly hrefOf: (id: string) => string;
};

function FriendsPart({ sheet: { member, friends }, hrefOf }: FriendsPartProps) {
  const counted = COUNTED_STATES.filter((state) => friends[state] > 0);
  const note = counted
    .map((state) => `${formatCount(friends[state])} ${CREDITS[state][0].toLowerCase()}`)
    .join(', ');
  const query = useInfiniteQuery({
    ...readRows('GET friends', { at: [member.id] }),
    enabled: counted.length > 0,
  });
  return (
    <Section title="Friends" note={note || 'None in line'}>
      {counted.length > 0 && (
        <QueryContent query={query}>
          {(members) => (
            <ItemList
              items={members.map(({ id, email, position, credit, confirmed_at }) => ({
                key: id,
                name: (
                  <Link href={hrefOf(id)}>
                    <Address email={email} />
                  </Link>
                ),
                more: (
                  <>
                    <span className="count">{`#${formatCount(position)}`}</span>
                    <StatePill states={CREDITS} state={credit} />
                    {confirmed_at === null && <Pill>Not confirmed</Pill>}
                  </>
                ),
              }))}
            />
          )}
        </QueryContent>
      )}
      <MoreButton query={query} label="Show more friends" />
    </Section>
  );
}
