/** The script of /draw: fetches the record, works the draw out and shows what it found. */
import type { DrawRecord } from '../../contract/drop/draw-record.ts';
import type { DropView } from '../../contract/drop/drop-views.ts';
import { verifyDraw } from '../../contract/drop/verify-draw-rules.ts';
import { apiPaths } from '../../contract/paths.ts';
import { memberStorage } from '../browser/storage.ts';
import { DRAW_PARTS } from './draw-parts.ts';
import { describeOwn, describeRecord, describeState, type Facts } from './facts.ts';
import { findOwnPlace, readOwnId } from './own-place.ts';

async function start(): Promise<void> {
  say('Working the draw out...');
  const number = await findNumber();
  const response = await fetch(apiPaths.draw(number));
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

/** The drop named in the query, or the last one. */
async function findNumber(): Promise<number> {
  const asked = Number(new URLSearchParams(location.search).get('drop'));
  if (Number.isSafeInteger(asked) && asked > 0) return asked;
  const response = await fetch(apiPaths.drop());
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
