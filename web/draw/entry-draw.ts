import type { Announcement, DrawRecord } from '../../contract/drop/draw-record.ts';
import type { DropView } from '../../contract/drop/drop-views.ts';
import { timeOfRound } from '../../contract/drop/randomness-rules.ts';
import { type DrawCheck, verifyDraw } from '../../contract/drop/verify-draw-rules.ts';
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
  const check = verifyDraw(record);
  say(describeState(record, check));
  partOf(DRAW_PARTS.frozen).hidden = false;
  const problems = partOf(DRAW_PARTS.problems);
  problems.replaceChildren(...check.problems.map((problem) => elementWith('li', problem)));
  problems.hidden = check.problems.length === 0;
  show(DRAW_PARTS.facts, describeRecord(record, check));
  const showOwn = (id: string) =>
    show(DRAW_PARTS.own, describeOwn(findOwnPlace(record, check.order, id)));
  offerSearch(showOwn);
  const member = memberStorage.read();
  if (member !== null) showOwn(member.id);
}

async function findNumber(): Promise<number> {
  const asked = Number(new URLSearchParams(location.search).get('drop'));
  if (Number.isSafeInteger(asked) && asked > 0) return asked;
  const response = await fetch(apiPaths.drop);
  if (!response.ok) throw new Error(`The drop was answered with ${response.status}.`);
  return ((await response.json()) as DropView).number;
}

function offerSearch(showOwn: (id: string) => void): void {
  const form = partOf(DRAW_PARTS.form);
  const input = partOf(DRAW_PARTS.id) as HTMLInputElement;
  form.hidden = false;
  input.addEventListener('input', () => input.setCustomValidity(''));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const id = readOwnId(input.value);
    if (id !== null) return showOwn(id);
    input.setCustomValidity('There is no member id in it.');
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

function describeState(record: DrawRecord, { problems, order }: DrawCheck): string {
  if (problems.length > 0) return 'This draw is NOT as it was announced:';
  if (record.announcement === null) return 'The list fits its hash. The draw is not announced yet.';
  if (order === null) return 'List and announcement fit their hashes. The draw is yet to come.';
  const chosen = order.filter(({ size }) => size !== null).length;
  return `Everything fits: your browser found the same ${chosen} chosen tickets.`;
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

function describeAnnouncement({ masks, by_rank, drawn_among, randomness }: Announcement): Facts {
  const total = masks.reduce((sum, size) => sum + size.masks, 0);
  const rule =
    by_rank === total
      ? 'all by rank'
      : `${by_rank} by rank, ${total - by_rank} drawn among the first ${drawn_among}`;
  return [
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

function describeOwn({ ticket, position, place, size, score, cutOff }: OwnPlace): Facts {
  if (position === null) return [['Ticket', `${ticket}, which is not on the list`]];
  return [
    ['Ticket', ticket],
    ['Position in the line', String(position)],
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
