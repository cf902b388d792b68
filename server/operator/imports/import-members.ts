import type { Brand } from '../../../brand/brand-shape.ts';
import type { MailKind } from '../../../contract/mails.ts';
import type { ChangeInput } from '../../../contract/operator/changes.ts';
import type { ImportMapping, ListImport } from '../../../contract/operator/imports/list-import.ts';
import type { Database } from '../../db/database.ts';
import { importMembers, removeImportedMembers } from '../../line/import/import-members.ts';
import { Problem } from '../../problem.ts';
import { hasAddress } from '../audit/assert-reason.ts';
import type { Effects, Verb } from '../changes/change.ts';
import {
  deleteContents,
  type ImportRecord,
  lockImport,
  readImport,
  updateImport,
} from './import-store.ts';
import { readImportId, unknownImport } from './receive-import.ts';

type Report = NonNullable<ListImport['report']>;
type Undo = { readonly first: number; readonly last: number };

type Options = {
  readonly database: Database;
  readonly brand: Pick<Brand, 'mails'>;
  readonly referralCredit: 'join' | 'confirm';
};

/** The rows of a checked list join the line, all at once. */
export function openImportMembers(options: Options): Verb<'import-members'> {
  const { database } = options;
  return {
    kind: 'import-members',
    isForOwners: true,
    lock: 'line',
    async preview(input) {
      const known = await readImport(database, readImportId(input.import_id));
      return describe(options, assertReady(known), input);
    },
    async prepare(transaction, input) {
      // Before the line: of two operators, the second finds it imported.
      assertReady(await lockImport(transaction, readImportId(input.import_id)));
    },
    async apply(transaction, input) {
      const id = readImportId(input.import_id);
      const known = assertReady(await lockImport(transaction, id));
      const report = known.report as Report;
      const { imported, joinedMeanwhile, sequences } = await importMembers(transaction, {
        importId: id,
        rows: report.importable,
        isConfirmed: input.confirmed,
        givesCredit: options.referralCredit === 'join' || input.confirmed,
        mail: mailKind(options, input),
      });
      await updateImport({ kysely: transaction }, id, { state: 'imported' });
      const { confirmed, mail } = input;
      const file = hasAddress(known.file_name) ? 'a file' : known.file_name;
      const leftOut = report.rows - imported;
      return {
        effects: describe(options, known, input),
        summary:
          `${count(imported, 'member')} joined from ${file}, ` +
          `${count(leftOut, 'row')} of it ${leftOut === 1 ? 'was' : 'were'} left out.`,
        subject: null,
        details: {
          file,
          sha256: known.sha256,
          rows: report.rows,
          imported,
          left_out: leftOut,
          joined_meanwhile: joinedMeanwhile,
          kinds: report.kinds,
          may_mail: input.may_mail,
          confirmed,
          mail,
          ...sequences,
        },
        undo: sequences satisfies Undo,
        afterCommit: () => deleteContents(database, id),
      };
    },
    async undo(transaction, sequences: Undo) {
      const { removed, staying } = await removeImportedMembers(transaction, sequences);
      const stay =
        staying === 0
          ? ''
          : ` ${count(staying, 'member')} stayed: friends have joined by them since.`;
      return { summary: `${count(removed, 'imported member')} left the line again.${stay}` };
    },
  };
}

type Ready = ImportRecord;

/** Throws Problem conflict unless it is checked and has something to import. */
function assertReady(known: ImportRecord | null): Ready {
  if (known === null) throw unknownImport();
  if (known.state === 'imported') throw new Problem('conflict', 'This list was imported already.');
  if (known.state !== 'checked')
    throw new Problem('conflict', 'This list is not checked: map its columns first.');
  if ((known.report as Report).importable === 0)
    throw new Problem('conflict', 'No row of this list can be imported: see its report.');
  return known;
}

function describe(options: Options, known: Ready, input: ChangeInput<'import-members'>): Effects {
  const { importable, left_out, noted, invited, credited_in_line } = known.report as Report;
  const kind = mailKind(options, input);
  const byTime = (known.mapping as ImportMapping).order === 'joined_at';
  const verb = (amount: number, one: string, many: string) => (amount === 1 ? one : many);
  const sentences = [
    `${count(importable, 'member')} ${verb(importable, 'joins', 'join')} at the end of the ` +
      `line, in the order of ${byTime ? 'their times of joining' : 'the file'}.`,
    invited > 0 &&
      `${count(invited, 'of them', 'of them')} came by a referrer, and ` +
        `${verb(invited, 'is', 'are')} ahead of members without points.`,
    credited_in_line > 0 &&
      `${count(credited_in_line, 'member')} already in line ` +
        `${verb(credited_in_line, 'gets', 'get')} credit for friends in the file, ` +
        'and a mail about them.',
    left_out > 0 &&
      `${count(left_out, 'row')} of the file ${verb(left_out, 'is', 'are')} left out.`,
    noted > 0 && `Of ${count(noted, 'row')} something is not taken over: see the report.`,
    input.confirmed
      ? 'Their addresses count as confirmed, as you state.'
      : 'Their addresses count as not confirmed.',
    kind === null
      ? 'None of them gets a mail.'
      : `Each of them gets the mail "${kind}" with their status link.`,
  ];
  return {
    sentences: sentences.filter((sentence) => sentence !== false),
    counts: { members: importable, left_out, noted, invited, credited_in_line },
  };
}

/** The mail of a join. Throws Problem conflict when it is off in brand.ts. */
function mailKind(
  { brand, referralCredit }: Options,
  { mail, confirmed }: ChangeInput<'import-members'>,
): MailKind | null {
  if (mail === 'none') return null;
  const kind = referralCredit === 'confirm' && !confirmed ? 'confirm' : 'welcome';
  if (!brand.mails[kind].isOn)
    throw new Problem('conflict', `The mail "${kind}" is off in brand.ts.`);
  return kind;
}

function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString('en')} ${amount === 1 ? one : many}`;
}
