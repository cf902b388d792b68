/** Reads and writes the parts that the page of the draw is prerendered with. */
import { DRAW_PARTS } from './draw-parts.ts';
import type { Facts, Verdict } from './draw-words.ts';

type Part = keyof typeof DRAW_PARTS;

export function partOf(part: Part): HTMLElement {
  const found = document.getElementById(DRAW_PARTS[part]);
  if (found === null) throw new Error(`The page has no part ${DRAW_PARTS[part]}.`);
  return found;
}

export function setText(part: Part, text: string): void {
  partOf(part).textContent = text;
}

export function showVerdict({ look, title, text, problems = [] }: Verdict): void {
  partOf('stage').dataset.look = look;
  setText('verdict', title);
  setText('state', text);
  const list = partOf('problems');
  list.replaceChildren(...problems.map((problem) => elementWith('li', problem)));
  list.hidden = problems.length === 0;
}

export function showButton(label: string, act: () => void): void {
  const button = partOf('button');
  button.textContent = label;
  button.onclick = act;
  button.hidden = false;
}

/** Folded facts stand in a `details` element, which is hidden while it has none. */
export function showFacts(part: Part, facts: Facts): void {
  const list = partOf(part);
  list.replaceChildren(
    ...facts.flatMap(([term, value]) => [elementWith('dt', term), elementWith('dd', value)]),
  );
  const folded = list.closest('details');
  if (folded !== null) folded.hidden = facts.length === 0;
}

/** `answer` returns what is wrong with the text, or an empty text. */
export function answerForm(form: Part, field: Part, answer: (text: string) => string): void {
  const input = partOf(field) as HTMLInputElement;
  const message = document.getElementById(`${input.id}-message`);
  const showProblem = (problem: string) => {
    if (problem === '') input.removeAttribute('aria-invalid');
    else input.setAttribute('aria-invalid', 'true');
    if (message !== null) message.textContent = problem;
  };
  if (message !== null) input.setAttribute('aria-describedby', message.id);
  partOf(form).hidden = false;
  input.addEventListener('input', () => showProblem(''));
  partOf(form).addEventListener('submit', (event) => {
    event.preventDefault();
    const problem = answer(input.value);
    showProblem(problem);
    if (problem !== '') input.focus();
  });
}

function elementWith(tag: 'dt' | 'dd' | 'li', text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
