import type { Brand } from '../../../brand/brand-shape.ts';
import type { MailKind } from '../../../contract/mails.ts';
import type { ChangeInput } from '../../../contract/operator/changes.ts';
import type { ImportMapping, ListImport } from '../../../contract/operator/imports/list-import.ts';
import { hasAddress } from '../../changes/audit/record-audit.ts';
import type { Effects, Operation } from '../../changes/operation.ts';
import type { Database } from '../../db/database.ts';
import { Problem } from '../../problem.ts';
import { count } from './count-rules.ts';
import type { ImportRuns } from './import-runs.ts';
import { type ImportRecord, lockImport, readImport, updateImport } from './import-store.ts';
import { readImportId, unknownImport } from './receive-import.ts';
import { decideImport, JOINING_AT_ONCE, turnBack } from './run/take-piece.ts';

type Report = NonNullable<ListImport['report']>;
type Undo = { readonly importId: string };

type Options = {
  readonly database: Database;
  readonly brand: Pick<Brand, 'mails'>;
  readonly referralCredit: 'join' | 'confirm';
  readonly runs: ImportRuns;
};

/** The rows of a checked list join the line, in pieces that follow the change. */
export function openImportMembers(options: Options): Operation<'import-members'> {
  const { database, runs } = options;
  return {
    kind: 'import-members',
    isForOwners: true,
    lock: null,
    async preview(input) {
      const known = await readImport(database, readImportId(input.import_id));
      return describe(options, assertReady(known), input);
    },
    async apply(transaction, input) {
      const id = readImportId(input.import_id);
      // Of two operators, the second finds it imported.
      const known = assertReady(await lockImport(transaction, id));
      const report = known.report as Report;
      const { confirmed, mail } = input;
      const file = hasAddress(known.file_name) ? 'a file' : known.file_name;
      await decideImport(transaction, id, {
        file,
        rows: report.rows,
        isConfirmed: confirmed,
        givesCredit: options.referralCredit === 'join' || confirmed,
        mail: mailKind(options, input),
      });
      await updateImport({ kysely: transaction }, id, { state: 'importing' });
      return {
        effects: describe(options, known, input),
        summary:
          `The import of ${count(report.importable, 'member')} from ${file} began, ` +
          `with ${count(report.left_out, 'row')} left out.`,
        subject: null,
        details: {
          file,
          sha256: known.sha256,
          rows: report.rows,
          importable: report.importable,
          left_out: report.left_out,
          kinds: report.kinds,
          may_mail: input.may_mail,
          confirmed,
          mail,
        },
        undo: { importId: id } satisfies Undo,
        outcome: () => runs.finish(id),
      };
    },
    async undo(transaction, { importId }: Partial<Undo>) {
      const run = importId === undefined ? null : await turnBack(transaction, importId);
      if (run === null) throw new Problem('conflict', 'This import is not known any more.');
      return {
        summary: `The members from ${run.options.file} began to leave the line again.`,
        outcome: () => runs.finish(run.import_id),
      };
    },
  };
}

type Ready = ImportRecord;

/** Throws Problem conflict unless it is checked and has something to import. */
function assertReady(known: ImportRecord | null): Ready {
  if (known === null) throw unknownImport();
  if (known.state === 'imported') throw new Problem('conflict', 'This list was imported already.');
  if (known.state === 'importing') throw new Problem('conflict', 'This list is being imported.');
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
  const operation = (amount: number, one: string, many: string) => (amount === 1 ? one : many);
  const sentences = [
    `${count(importable, 'member')} ${operation(importable, 'joins', 'join')} at the end of the ` +
      `line, in the order of ${byTime ? 'their times of joining' : 'the file'}.`,
    importable > JOINING_AT_ONCE &&
      `They join ${JOINING_AT_ONCE} at a time: visitors who join meanwhile stand between them.`,
    invited > 0 &&
      `${count(invited, 'of them', 'of them')} came by a referrer, and ` +
        `${operation(invited, 'is', 'are')} ahead of members without points.`,
    credited_in_line > 0 &&
      `${count(credited_in_line, 'member')} already in line ` +
        `${operation(credited_in_line, 'gets', 'get')} credit for friends in the file, ` +
        'and a mail about them.',
    left_out > 0 &&
      `${count(left_out, 'row')} of the file ${operation(left_out, 'is', 'are')} left out.`,
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
