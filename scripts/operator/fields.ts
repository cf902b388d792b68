/** Words and options of commands: fields of the API by their schemas, and what these do not say. */
import type { TObject } from 'typebox';
import { SCHEDULED_STEPS } from '../../contract/drop/step-words.ts';
import { DROP_FILE_NAMES } from '../../contract/operator/drop/drop-files.ts';
import { MemberFilter } from '../../contract/operator/member-filter.ts';
import type { Config } from '../../server/config.ts';
import { parseMoment } from '../../server/moment-field-rules.ts';
import { SHELLS } from '../command-line/completion.ts';
import { type Field, type Form, refuse } from '../command-line/program.ts';
import { readGivenFile } from '../command-line/working-folder.ts';
import { callOperator, OperatorError } from './call-operator.ts';

type Property = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Property;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly description?: string;
};

const MEMBER = { label: 'id|address|code', find: findMemberId };
const NUMBER = { parse: (text: string) => readNumber(text, 1, 999_999_999) };
const NEXT_PAGE = {
  option: 'after',
  label: 'entry',
  about: 'the number or text that the page before ended with',
};
const LINES = { label: 'file', isList: false, parse: readLines };
const YES_OR_NO = { choices: ['yes', 'no'], parse: (text: string) => text === 'yes' };

/** The commands of the scheduled steps, in their order. */
const STEP_COMMANDS = ['freeze', 'announce', 'select', 'offer', 'close'];

/** What no schema says, by the name of the field. */
const FORMS: Readonly<Record<string, Form>> = {
  after: NEXT_PAGE,
  before: NEXT_PAGE,
  memberId: MEMBER,
  member_id: MEMBER,
  network_of: MEMBER,
  member_ids: MEMBER,
  operatorId: { label: 'address', find: findOperatorId },
  campaign: NUMBER,
  change: NUMBER,
  file: { choices: DROP_FILE_NAMES },
  size: { find: findSizeName },
  minutes: { label: 'hours', parse: readMinutes },
  cents_per_unit: { label: 'cost of one', parse: readCents },
  codes: LINES,
  parcels: LINES,
  note: { about: 'for whom, or why; by default the reason', isOptional: true },
  cards: { label: 'hours', parse: readCards },
  draw_at: { option: 'at', label: 'time', parse: readTime },
  time_zone: {
    about: 'such as Europe/Berlin',
    isOptional: true,
    usual: { value: ownTimeZone(), about: 'that of this machine' },
  },
  pause_message: { option: 'pause', label: 'message' },
  pay_hours: { option: 'pay', label: 'hours' },
  states: { option: 'state' },
  step_name: {
    label: 'step',
    choices: STEP_COMMANDS,
    parse: (text) => SCHEDULED_STEPS[STEP_COMMANDS.indexOf(text)],
  },
  direction: { choices: ['add', 'take'] },
  points: { parse: (text) => readNumber(text, 1, 10_000) },
  settings: {
    label: 'file',
    about: 'settings and keys as JSON; - is the standard input',
    parse: (path) => readJson(readGivenFile(path).toString()),
  },
  path: { label: 'file' },
  json: { isFlag: true, about: 'print JSON, for programs' },
  output: { label: 'file', about: 'a new file for you alone' },
  preview: { isFlag: true, about: 'change nothing' },
  reason: { label: 'text', about: 'why, for the audit log', isOptional: true },
  when: {
    label: 'time',
    about: 'let the server take the step then: 2026-05-01T18:00+02:00',
    parse: readTime,
  },
  yes: { isFlag: true, about: 'do not ask for confirmation' },
  keep: {
    label: 'number',
    about: 'keep only this many of the backups that were named after their time',
    parse: (text) => readNumber(text, 1, 99_999),
  },
  this_is_the_line: {
    isFlag: true,
    about: 'let it act at once, in place of a server that never runs again',
  },
  shell: { choices: SHELLS },
};

/** A field of a schema, a parameter of a path, or a form by its name. */
export function fieldOf(name: string, schema?: TObject): Field {
  const property: Property = schema?.properties[name] ?? {};
  const { type, minimum, maximum, pattern, items } = property;
  const choices = (items ?? property).enum ?? [];
  const isOptional = schema && !schema.required?.includes(name);
  return {
    name,
    label: name.endsWith('Id') ? 'id' : name.replaceAll('_', ' '),
    about: aboutOf(property),
    isFlag: type === 'boolean' && isOptional === true,
    isList: type === 'array',
    isOptional,
    ...(type === 'boolean' && !isOptional && YES_OR_NO),
    ...(choices.length > 0 && { choices }),
    ...(pattern && { parse: (text) => readForm(text, pattern) }),
    ...(type === 'integer' && { parse: (text) => readNumber(text, minimum, maximum) }),
    ...(type === 'object' && { parse: readJson }),
    ...(items?.type === 'object' && { label: 'size=number,...', parse: readMasks }),
    ...FORMS[name],
  };
}

function aboutOf({ description = '', type, items }: Property): string {
  const text = description.charAt(0).toLowerCase() + description.slice(1);
  const isChoice = type === 'array' && items?.enum !== undefined;
  return isChoice ? `${text && `${text}: `}all, or some with commas between` : text;
}

/** Fields of a filter stand for themselves, where none could be a flag, which cannot say no. */
export function fieldsOf(schema: TObject): readonly Field[] {
  const names = Object.keys(schema.properties);
  return names.flatMap((name) => (name === 'filter' ? FILTER : fieldOf(name, schema)));
}

export const FILTER: readonly Field[] = fieldsOf(MemberFilter).map((field) => ({
  ...field,
  within: 'filter',
  ...(field.isFlag && { isFlag: false, ...YES_OR_NO }),
}));

/** The values of those fields that were given, as the API takes them. */
export async function findValues(
  fields: readonly Field[],
  values: Readonly<Record<string, unknown>>,
  config: Config,
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const { name, within, find } of fields) {
    const value = values[name];
    if (value === undefined) continue;
    const ask = async (one: unknown) => (find ? await find(String(one), config) : one);
    const taken = Array.isArray(value) ? await Promise.all(value.map(ask)) : await ask(value);
    if (within) found[within] = { ...Object(found[within]), [name]: taken };
    else found[name] = taken;
  }
  return found;
}

async function findMemberId(text: string, config: Config): Promise<string> {
  const { members } = await callOperator(config, 'POST findMembers', { body: { text } });
  const [member, another] = members;
  if (member === undefined) throw new OperatorError(`No member matches ${text}.`);
  if (another !== undefined) throw new OperatorError(`${text} matches more than one member.`);
  return member.id;
}

async function findOperatorId(email: string, config: Config): Promise<string> {
  const { operators } = await callOperator(config, 'GET operators');
  const found = operators.find((one) => one.email.toLowerCase() === email.toLowerCase());
  if (found === undefined) throw new OperatorError(`No operator has the address ${email}.`);
  return found.id;
}

export async function listSizeNames(config: Config): Promise<readonly string[]> {
  const { sizes } = await callOperator(config, 'GET sizes');
  return sizes.map(({ name }) => name);
}

/** The name as the server has it, from one in any case. */
async function findSizeName(text: string, config: Config): Promise<string> {
  const names = await listSizeNames(config);
  const isMeant = (name: string) => name.toLowerCase() === text.toLowerCase();
  const name = names.find((one) => one === text) ?? names.find(isMeant);
  if (name !== undefined) return name;
  throw new OperatorError(`There is no size ${text}. The sizes are ${names.join(', ')}.`);
}

export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function readForm(text: string, pattern: string): string {
  return new RegExp(pattern).test(text) ? text : refuse(`${text} does not have the form needed.`);
}

function readNumber(text: string, minimum = 0, maximum = 1_000_000): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  return refuse(`${text} is not a whole number from ${minimum} to ${maximum}.`);
}

export function readTime(text: string): string {
  const time = parseMoment(text);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  return refuse('It needs a time, such as 2026-05-01T18:00+02:00.');
}

function readMinutes(hours: string): number {
  const minutes = /^\d{1,3}(\.\d{1,2})?$/.test(hours) ? Math.round(Number(hours) * 60) : 0;
  return minutes || refuse(`${hours} is not a number of hours from 0.01 to 999.99.`);
}

function readCents(cost: string): number {
  if (/^\d{1,6}(\.\d\d)?$/.test(cost)) return Math.round(Number(cost) * 100);
  return refuse(`${cost} is not what one costs, such as 12 or 12.50.`);
}

function readMasks(pair: string) {
  const [size = '', masks = ''] = pair.split(/=(?=\d+$)/);
  return { size, masks: readNumber(masks) };
}

/** `48`, or `48,no-prepaid`. */
function readCards(text: string) {
  const [, hours = '', prepaid] = /^([^,]*)(,no-prepaid)?$/.exec(text) ?? [];
  if (hours === '') return refuse('Say 48, or 48,no-prepaid.');
  return { hours: readNumber(hours, 1), ...(prepaid && { refuses_prepaid: true }) };
}

function readLines(path: string): readonly string[] {
  const lines = readGivenFile(path)
    .toString()
    .split('\n')
    .flatMap((line) => line.trim() || []);
  if (lines.length === 0) return refuse(`${path} has no codes.`);
  if (new Set(lines).size === lines.length) return lines;
  return refuse(`${path} has a code twice: nothing was changed.`);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('It is not JSON. The documents have an example.');
  }
}
