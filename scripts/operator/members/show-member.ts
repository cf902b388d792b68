/** One member from the command line: the sheet, the friends they brought, and notes. */
import type { Friends, MemberSheet, Note } from '../../../contract/operator/member-sheet.ts';
import { fillPath, operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import type { Options } from '../../command-line/command.ts';
import { print, say } from '../../command-line/output.ts';
import { callOperator } from '../call-operator.ts';
import { describeMail } from '../mails.ts';
import { renderTable } from '../table.ts';
import { findMember } from './find-members.ts';
import { renderMembers } from './list-members.ts';

export async function showMember(
  config: Config,
  [text = '']: readonly string[],
  { json }: Options,
): Promise<void> {
  const found = await findMember(config, text);
  const path = fillPath(operatorPaths.member, found.id);
  const sheet = await callOperator<MemberSheet>(config, { path });
  const { member, friends } = sheet;
  print(json, sheet, () =>
    renderTable(
      ['Member', member.email],
      [
        ['Id', member.id],
        ['Position', String(member.position)],
        ['Why', sheet.why],
        ['Brought by', sheet.brought_by?.email ?? ''],
        ...Object.entries(friends).map(([state, count]) => [`Friends ${state}`, String(count)]),
        ...describeMail(found),
        ...sheet.notes.map(({ written_at, author, body }) => [
          `Note ${written_at}`,
          `${author}: ${body}`,
        ]),
        ...sheet.audit.map(({ number, summary, reason }) => [
          `Change ${number}`,
          `${summary} (${reason})`,
        ]),
      ],
    ),
  );
}

/** One page of the friends, in order of joining. */
export async function showFriends(
  config: Config,
  [text = '']: readonly string[],
  { json, after }: Options,
): Promise<void> {
  const { id } = await findMember(config, text);
  const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
  const page = await callOperator<Friends>(config, {
    path: fillPath(operatorPaths.friends, id) + query,
  });
  print(json, page, () =>
    page.members.length === 0 ? 'None of their friends is in line.' : renderMembers(page),
  );
  if (page.next !== null)
    say(json, `There are more: ./waitlist friends ${id} --after ${page.next}`);
}

export async function addNote(
  config: Config,
  [text = '', body = '']: readonly string[],
  { json }: Options,
): Promise<void> {
  const { id } = await findMember(config, text);
  const note = await callOperator<Note>(config, {
    method: 'POST',
    path: fillPath(operatorPaths.notes, id),
    body: { body },
  });
  print(json, note, () => 'The note is kept with the member.');
}
