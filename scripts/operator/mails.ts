/** Mail from the command line: what waits, what never arrived, who gets none, and a test mail. */

import type {
  FailedMails,
  SuppressedAddresses,
  TestMail,
  WaitingMails,
} from '../../contract/operator/mails.ts';
import type { FoundMember } from '../../contract/operator/members.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Config } from '../../server/config.ts';
import { UsageError } from '../command-line/command.ts';
import { print, say } from '../command-line/output.ts';
import { callOperator, OperatorError } from './call-operator.ts';
import { printable, renderTable } from './table.ts';

type Page = { readonly entries: readonly unknown[]; readonly next: string | null };
type List = {
  readonly path: string;
  /** Said of an empty list. */
  readonly none: string;
  readonly render: (page: never) => string;
};

const LISTS: Readonly<Record<string, List>> = {
  waiting: { path: operatorPaths.waitingMails, none: 'No mail waits.', render: renderWaiting },
  failed: {
    path: operatorPaths.failedMails,
    none: 'Every mail of the last 30 days arrived or still waits.',
    render: renderFailed,
  },
  suppressed: {
    path: operatorPaths.suppressedAddresses,
    none: 'No address is suppressed.',
    render: renderSuppressed,
  },
};

export const MAIL_LISTS = Object.keys(LISTS);

/** One page of a list, and how to ask for the next. */
export async function listMails(
  config: Config,
  [name = '']: readonly string[],
  { json, after }: { readonly json?: boolean | undefined; readonly after?: string | undefined },
): Promise<void> {
  const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
  if (list === undefined)
    throw new UsageError(`There is no list ${name}: say ${MAIL_LISTS.join(', ')}.`);
  const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
  const page = await callOperator<Page>(config, { path: list.path + query });
  print(json, page, () => (page.entries.length === 0 ? list.none : list.render(page as never)));
  if (page.next !== null)
    say(json, `There are more: ./waitlist mails ${name} --after ${page.next}`);
}

/** Throws OperatorError when the mail server did not take it. */
export async function sendTestMail(
  config: Config,
  [email = '']: readonly string[],
  { json }: { readonly json?: boolean | undefined },
): Promise<void> {
  const result = await callOperator<TestMail>(config, {
    method: 'POST',
    path: operatorPaths.testMail,
    body: { email },
  });
  if (json) console.log(JSON.stringify(result, null, 2));
  if (result.outcome === 'failed') throw new OperatorError(explainFailure(result));
  if (json) return;
  console.log(
    result.outcome === 'kept'
      ? `SMTP_URL is not set, so nothing was sent. For an hour the mail is in ${result.file ?? ''}.`
      : `The mail server took it: ${oneLine(result.answer ?? '')}`,
  );
}

/** One line: what went wrong, in whose words, and what to do. */
export function explainFailure({ cause, error_code, answer, advice }: TestMail): string {
  const reason = answer === null ? (error_code ?? '') : oneLine(answer);
  return [`Not sent: ${cause ?? ''}${reason && ` (${reason})`}.`, advice].filter(Boolean).join(' ');
}

/** Foreign text of several lines. */
function oneLine(text: string): string {
  return printable(text.trim().replace(/\s+/g, ' '));
}

/** Whether a member is mailed, and their last mails, as rows of a table. */
export function describeMail({
  confirmed_at,
  mail,
}: Pick<FoundMember, 'confirmed_at' | 'mail'>): [string, string][] {
  const state = mail.state === 'sending' ? 'on' : `off since ${mail.since ?? ''}: ${mail.state}`;
  const mails = mail.mails.map(({ kind, queued_at, ended_at, state: outcome, cause }) => {
    const end = [outcome.replace('_', ' '), ended_at, cause && `(${cause})`];
    return [`Mail ${queued_at}`, `${kind}: ${end.filter(Boolean).join(' ')}`];
  });
  return [['Confirmed', confirmed_at ?? 'no'], ['Mail', state], ...(mails as [string, string][])];
}

type OwnerOf = { readonly member: { readonly email: string } | null };
const emailOf = ({ member }: OwnerOf) => member?.email ?? '';

function renderWaiting({ entries }: WaitingMails): string {
  const rows = entries.map((mail) => [
    mail.kind,
    emailOf(mail),
    mail.queued_at,
    mail.attempts,
    mail.next_at ?? '',
    mail.cause ?? '',
  ]);
  return renderTable(['Kind', 'Member', 'Queued', 'Attempts', 'Next', 'Cause'], rows);
}

function renderFailed({ entries }: FailedMails): string {
  const rows = entries.map((mail) => [
    mail.kind,
    emailOf(mail),
    mail.queued_at,
    mail.attempts,
    mail.ended_at,
    mail.outcome.replace('_', ' '),
    `${mail.cause ?? ''} ${mail.response_code ?? ''}`.trim(),
  ]);
  const columns = ['Kind', 'Member', 'Queued', 'Attempts', 'Ended', 'Outcome', 'Cause'];
  return renderTable(columns, rows);
}

function renderSuppressed({ entries }: SuppressedAddresses): string {
  const rows = entries.map((address) => [address.reason, address.since, emailOf(address)]);
  return renderTable(['Reason', 'Since', 'Member'], rows);
}
