/** Files as programs write them, read with what their columns suggest and at most one choice. */
import { expect, test } from 'vitest';
import type { ImportMapping } from '../../../contract/operator/imports/list-import.ts';
import { readCsv } from '../../csv/read-csv.ts';
import { openRow, type Row, settleRows } from './compare-rules.ts';
import { describeFile } from './describe-file.ts';
import { readRow } from './row-rules.ts';

const now = new Date('2026-12-01T00:00:00Z');

/** What joins, as `address time mail` with the parts that the file says, and what does not. */
async function read(file: Uint8Array | string, choice: Partial<ImportMapping> = {}) {
  async function* open() {
    yield Buffer.from(file as string);
  }
  const format = await describeFile(open);
  const suggested = format.columns.flatMap((column, at) =>
    column.suggested === null ? [] : [[column.suggested, at]],
  );
  const mapping: ImportMapping = {
    columns: Object.fromEntries(suggested),
    order: 'file',
    ...choice,
  };
  const rows: Row[] = [];
  let isHeader = format.has_header;
  const options = { mapping, width: format.columns.length, now };
  for await (const record of readCsv(open(), format)) {
    if (!isHeader) rows.push(openRow(readRow(record, options)));
    isHeader = false;
  }
  for (const _settled of settleRows(rows, mapping));
  return rows.map(({ member, joined_at, mail_state, fault }) =>
    [fault ?? member.email, joined_at?.toISOString().slice(0, 16), mail_state]
      .filter(Boolean)
      .join(' '),
  );
}

const lines = (...rows: readonly string[]) => rows.join('\r\n');
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const UMLAUTS = { ä: 0x8a, ö: 0x9a, ü: 0x9f, ß: 0xa7, ó: 0x97, é: 0x8e, ñ: 0x96 };
/** As Excel on a Mac saves: the encoding and the line ends of the Mac of old. */
const mac = (text: string) =>
  Buffer.from(
    text
      .replaceAll('\r\n', '\r')
      .replaceAll(/[äöüßóéñ]/g, (letter) =>
        String.fromCharCode(UMLAUTS[letter as keyof typeof UMLAUTS]),
      ),
    'latin1',
  );

const MAILCHIMP = '"Email Address","First Name",MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME';
const CONTACTS = 'First Name,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Value';
const SPANISH = lines(
  'Nombre;Correo electrónico;Fecha',
  'Íñigo;inigo@a.example;25/11/2026 17:14',
  'Niña;nina@a.example;02/11/2026',
);
const GERMAN = lines(
  'Vorname;E-Mail-Adresse;Angemeldet am',
  'Jörg;joerg@a.example;02.11.26 17:14',
  'Käthe Groß;kaethe@a.example;3. Dez. 2025',
);
const IN_GERMAN = ['joerg@a.example 2026-11-02T17:14', 'kaethe@a.example 2025-12-03T00:00'];
const IN_SPANISH = ['inigo@a.example 2026-11-25T17:14', 'nina@a.example 2026-11-02T00:00'];
const dayFirst = { dates: 'day_first' } as const;

test.each<[string, Uint8Array | string, string[], Partial<ImportMapping>?]>([
  [
    'subscribed people of Mailchimp',
    lines(
      `${MAILCHIMP},CONFIRM_IP,LEID,NOTES,TAGS`,
      '"a@a.example","A",2,"2026-09-02 10:00:00",203.0.113.9,"2026-09-02 10:01:00",,1,,"""vip"""',
      '"b@a.example",,2,,,"2026-08-01 09:05:00"',
    ),
    ['a@a.example 2026-09-02T10:00', 'b@a.example'],
  ],
  [
    'people of Mailchimp who unsubscribed',
    lines(
      `${MAILCHIMP},UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_REASON`,
      'a@a.example,A,2,"2026-09-02 10:00:00",,,"2026-10-01 08:00:00",News,NORMAL',
    ),
    ['a@a.example 2026-09-02T10:00 stopped'],
  ],
  [
    'people of Kit in every state',
    lines(
      'id,first_name,email_address,state,created_at,tags',
      '1,A,a@a.example,active,2026-01-27T11:43:55Z,VIP',
      '2,B,b@a.example,cancelled,2026-01-28 11:43:55 UTC,',
      '3,C,c@a.example,bounced,"Jan 29, 2026",',
      '4,D,d@a.example,complained,2026-01-30,',
      '5,E,e@a.example,inactive,2026-01-31,',
    ),
    [
      'a@a.example 2026-01-27T11:43',
      'b@a.example 2026-01-28T11:43 stopped',
      'c@a.example 2026-01-29T00:00 bounced',
      'd@a.example 2026-01-30T00:00 complained',
      'e@a.example 2026-01-31T00:00',
    ],
  ],
  [
    'people of a tool with their states in words and the sites that they came from',
    lines(
      'Email,Status,Referrer',
      'a@a.example,Subscribed,https://t.co/a',
      'b@a.example,Non-Subscribed,',
      'c@a.example,Abgemeldet,',
      'd@a.example,Junk,https://t.co/b',
    ),
    ['a@a.example', 'b@a.example stopped', 'c@a.example stopped', 'd@a.example complained'],
  ],
  [
    'buyers whose states are those of their orders',
    lines('Email,Status', 'a@a.example,Subscribed', 'b@a.example,Refunded'),
    ['a@a.example', 'b@a.example'],
  ],
  [
    'an English form of Google',
    lines(
      '"Timestamp","Email Address","Size?"',
      '"2026/11/02 5:14:02 PM GMT+1","a@a.example","M"',
      '"2026/10/03 12:01:44 am EDT","b@a.example","L"',
    ),
    ['a@a.example 2026-11-02T16:14', 'b@a.example 2026-10-03T04:01'],
  ],
  [
    'a German form of Google',
    lines(
      '"Zeitstempel","Nutzername"',
      '"2026/11/02 5:14:02 nachm. MEZ","a@a.example"',
      '"2026/08/02 9:14:02 vorm. MESZ","b@a.example"',
    ),
    ['a@a.example 2026-11-02T16:14', 'b@a.example 2026-08-02T07:14'],
  ],
  [
    'a Spanish form of Google',
    lines(
      '"Marca temporal","Dirección de correo electrónico"',
      '"2026/11/02 10:26:52 p. m. GMT-3","a@a.example"',
      '"2026/11/03 10:26:52 a.\u00a0m. CET","b@a.example"',
    ),
    ['a@a.example 2026-11-03T01:26', 'b@a.example 2026-11-03T09:26'],
  ],
  [
    'contacts of Google',
    lines(
      CONTACTS,
      'A,see b@a.example,* myContacts,* Work,a@a.example ::: other@a.example,',
      'B,,* myContacts,,,',
      'C,,,Home,"C <c@a.example>",d@a.example',
    ),
    ['a@a.example', 'no_address', 'c@a.example'],
  ],
  ['Unicode text of Excel', utf16(GERMAN.replaceAll(';', '\t')), IN_GERMAN],
  ['CSV UTF-8 of Excel', `\ufeff${GERMAN}`, IN_GERMAN],
  ['CSV of Excel on Windows in German', Buffer.from(GERMAN, 'latin1'), IN_GERMAN],
  ['CSV of Excel on Windows in Spanish', Buffer.from(SPANISH, 'latin1'), IN_SPANISH, dayFirst],
  ['CSV of Excel on a Mac in German', mac(GERMAN), IN_GERMAN],
  ['CSV of Excel on a Mac in Spanish', mac(SPANISH.replace('Í', 'I')), IN_SPANISH, dayFirst],
  [
    'CSV of Excel in English, with a number that was a date',
    lines('Name,Email,Date,,', 'A,a@a.example,11/25/26 5:14 PM,,', 'B,b@a.example,46328.5'),
    ['a@a.example 2026-11-25T17:14', 'b@a.example 2026-11-02T12:00'],
  ],
  [
    'CSV of Excel that names its separator, saved again',
    lines('"sep=;";;', 'Email;Name;Joined', 'a@a.example;A;02-Nov-26;'),
    ['a@a.example 2026-11-02T00:00'],
  ],
  [
    'a list with the handles of its owner and of a friend in every row',
    lines('Owner,Friend,Email', ...['a', 'b', 'c'].map((one) => `o@b.example,f@b.example,${one}`))
      .replace('f@b.example,a', ',a@a.example')
      .replace(',c', ',c@a.example'),
    ['a@a.example', 'bad_address', 'c@a.example'],
  ],
])('%s', async (_name, file, expected, choice) => {
  expect(await read(file, choice)).toEqual(expected);
});

test('a column is found by addresses that begin below its first hundred rows', async () => {
  const rows = Array.from({ length: 300 }, (_, row) =>
    row < 150 ? `@handle${row},` : `@handle${row},a${row}@a.example`,
  );
  const joining = await read(lines('User,Contact', ...rows));
  expect(joining.filter((row) => row !== 'no_address')).toHaveLength(150);
});
