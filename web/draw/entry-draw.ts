import type { Announcement, DrawRecord } from '../../contract/drop/draw-record.ts';
import type { DropView, GivenView } from '../../contract/drop/drop-views.ts';
import { timeOfRound } from '../../contract/drop/randomness-rules.ts';
import { type DrawCheck, PROOFS, verifyDraw } from '../../contract/drop/verify-draw-rules.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { memberStorage } from '../browser/storage.ts';
import { DRAW_PARTS } from './draw-parts.ts';
import { findOwnPlace, type OwnPlace, readOwnId } from './own-place.ts';

async function start(): Promise<void> {
  say('Working the draw out...');
  const number = await findNumber();
  const response = await fetch(fillPath(apiPaths.draw, number));
  if (response.status === 404) return say('The line is not frozen yet: there is nothing to draw.');
  if (!response.ok) throw new Error(`The record was answered with ${response.status}.`);
  const record = (await response.json()) as DrawRecord;
  const noted = new URLSearchParams(location.search).get('noted');
  const { order } = showCheck(record, noted && readHash(noted));
  partOf(DRAW_PARTS.frozen).hidden = false;
  const showOwn = (id: string) =>
    show(DRAW_PARTS.own, describeOwn(findOwnPlace(record, order, id)));
  answerForm(DRAW_PARTS.form, DRAW_PARTS.id, (text) => {
    const id = readOwnId(text);
    if (id === null) return 'There is no member id in it.';
    showOwn(id);
    return '';
  });
  answerForm(DRAW_PARTS.notedForm, DRAW_PARTS.noted, (text) => {
    const hash = readHash(text);
    if (hash === null) return 'A hash has 64 digits from 0 to f.';
    showCheck(record, hash);
    return '';
  });
  const member = memberStorage.read();
  if (member !== null) showOwn(member.id);
  if (record.announcement !== null) await showGiven(number);
}

function showCheck(record: DrawRecord, noted: string | null): DrawCheck {
  const check = verifyDraw(record, noted);
  say(describeState(record, check));
  const problems = partOf(DRAW_PARTS.problems);
  problems.replaceChildren(...check.problems.map((problem) => elementWith('li', problem)));
  problems.hidden = check.problems.length === 0;
  show(DRAW_PARTS.facts, describeRecord(record, check));
  return check;
}

const REFRESH_MS = 10_000;

/** Again and again: the numbers change while members answer. */
async function showGiven(number: number): Promise<void> {
  const response = document.hidden ? null : await fetch(fillPath(apiPaths.given, number));
  if (response?.ok) {
    show(DRAW_PARTS.given, describeGiven((await response.json()) as GivenView));
    partOf(DRAW_PARTS.givenCard).hidden = false;
  }
  setTimeout(() => showGiven(number).catch(console.warn), REFRESH_MS);
}

function readHash(text: string): string | null {
  return /\b[0-9a-f]{64}\b/.exec(text.toLowerCase())?.[0] ?? null;
}

async function findNumber(): Promise<number> {
  const asked = Number(new URLSearchParams(location.search).get('drop'));
  if (Number.isSafeInteger(asked) && asked > 0) return asked;
  const response = await fetch(apiPaths.drop);
  if (!response.ok) throw new Error(`The drop was answered with ${response.status}.`);
  return ((await response.json()) as DropView).number;
}

/** `answer` returns what is wrong with the text, or an empty text. */
function answerForm(formPart: string, field: string, answer: (text: string) => string): void {
  const form = partOf(formPart);
  const input = partOf(field) as HTMLInputElement;
  form.hidden = false;
  input.addEventListener('input', () => input.setCustomValidity(''));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    input.setCustomValidity(answer(input.value));
    input.reportValidity();
  });
}

function show(part: string, facts: Facts): void {
  partOf(part).replaceChildren(
    ...facts.flatMap(([term, value]) => [elementWith('dt', term), elementWith('dd', value)]),
  );
}

function say(sentence: string): void {
  partOf(DRAW_PARTS.state).textContent = sentence;
}

function elementWith(tag: 'dt' | 'dd' | 'li', text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function partOf(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no part ${id}.`);
  return found;
}

start().catch((error: unknown) => {
  console.warn(error);
  say('The record of the draw did not arrive. Please try again in a moment.');
});

type Facts = readonly (readonly [term: string, value: string])[];

function describeState(record: DrawRecord, check: DrawCheck): string {
  const { problems, order } = check;
  if (problems.length > 0) return 'This draw is NOT as it was announced:';
  return `${describeFit(record, order)} ${PROOFS[check.comparedWith]}`;
}

function describeFit({ announcement }: DrawRecord, order: DrawCheck['order']): string {
  if (announcement === null) return 'The list fits its hash. The draw is not announced yet.';
  if (order === null) return 'List and announcement fit their hashes. The draw is yet to come.';
  const chosen = order.filter(({ size }) => size !== null).length;
  return `Everything fits: your browser found the same ${chosen} chosen tickets.`;
}

function describeGiven({ sizes, amendments }: GivenView): Facts {
  return [
    ...sizes.map(({ size, announced, given, ...offers }) => {
      const before = given === announced ? '' : `, announced were ${announced}`;
      const { open, passes, expired, declined, cancelled } = offers;
      const counts = [
        [open, 'offered now'],
        [passes, 'with a pass'],
        [expired, 'expired'],
        [declined, 'declined'],
        [cancelled, 'cancelled'],
      ] as const;
      const words = counts.flatMap(([count, what]) => (count === 0 ? [] : `${count} ${what}`));
      const all = words.length === 0 ? 'none is offered yet' : words.join(', ');
      return [size, `${given} in all${before}: ${all}`] as const;
    }),
    ...amendments.map(({ amended_at, masks, reason }) => {
      const numbers = masks.map((one) => `${one.masks} ${one.size}`).join(', ');
      return [
        `Changed at ${amended_at}`,
        `${numbers}. In the operator's words: ${reason}`,
      ] as const;
    }),
  ];
}

function describeRecord(record: DrawRecord, check: DrawCheck): Facts {
  const { announcement, evidence } = record;
  return [
    ['Drop', String(record.number)],
    ['Entrants', `${record.entrants.length}, frozen at ${record.frozen_at}`],
    ['Hash of the list', check.listHash],
    ...(announcement === null ? [] : describeAnnouncement(announcement)),
    ...(check.announcementHash === null
      ? []
      : [['Hash of the announcement', check.announcementHash] as const]),
    ...(evidence === null ? [] : [['Signature or seed', evidence] as const]),
  ];
}

function describeAnnouncement(announcement: Announcement): Facts {
  const { masks, by_rank, drawn_among, randomness, announced_at } = announcement;
  const total = masks.reduce((sum, size) => sum + size.masks, 0);
  const rule =
    by_rank === total
      ? 'all by rank'
      : `${by_rank} by rank, ${total - by_rank} drawn among the first ${drawn_among}`;
  return [
    ['Announced at', announced_at],
    ['Masks', masks.map((size) => `${size.masks} ${size.size}`).join(', ')],
    ['Rule', rule],
    ...describeRandomness(randomness),
  ];
}

function describeRandomness(randomness: Announcement['randomness']): Facts {
  if (randomness.source === 'none') return [];
  if (randomness.source === 'seed') return [['Randomness', `a seed: ${randomness.commitment}`]];
  const { round } = randomness;
  const at = new Date(timeOfRound(round)).toISOString();
  return [['Randomness', `round ${round} of drand's quicknet, at ${at}`]];
}

function describeOwn(own: OwnPlace): Facts {
  const { ticket, position, losses, place, size, score, cutOff } = own;
  if (position === null) return [['Ticket', `${ticket}, which is not on the list`]];
  return [
    ['Ticket', ticket],
    ['Position in the line', String(position)],
    ...(losses === 0 ? [] : ([['Drops that it lost', `${losses}: so many more tries`]] as const)),
    ...(place === null
      ? []
      : ([
          ['Place in the draw', String(place)],
          ['Chosen', size === null ? 'no' : `yes, size ${size}`],
        ] as const)),
    ...(score === null ? [] : [['Your number', score] as const]),
    ...(score === null || cutOff === null ? [] : [['Cut-off: the last chosen', cutOff] as const]),
  ];
}
