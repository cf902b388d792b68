import type { DrawRecord } from '../../contract/drop/draw-record.ts';
import type { DropView, GivenView } from '../../contract/drop/drop-views.ts';
import { verifyDraw } from '../../contract/drop/verify-draw-rules.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { quietMode } from '../browser/quiet-mode.ts';
import { memberStorage } from '../browser/storage.ts';
import { answerForm, partOf, showButton, showFacts, showVerdict } from './draw-page-parts.ts';
import {
  describeGiven,
  describeOwn,
  describeRecord,
  FAILED,
  judgeDraw,
  listHashes,
  listOwnHashes,
  MISSING,
  SHOWING,
  type Verdict,
  WORKING,
} from './draw-words.ts';
import { createMaskShow, type MaskShow } from './mask-show.ts';
import { findOwnPlace, readOwnId } from './own-place.ts';

async function start(): Promise<void> {
  showVerdict(WORKING);
  const number = await findNumber();
  const response = await fetch(fillPath(apiPaths.draw, number));
  if (response.status === 404) return showVerdict(MISSING);
  if (!response.ok) throw new Error(`The record was answered with ${response.status}.`);
  const record = (await response.json()) as DrawRecord;
  const noted = new URLSearchParams(location.search).get('noted');
  const check = (hash: string | null) => {
    const found = verifyDraw(record, hash);
    showFacts('hashes', listHashes(record, found));
    return { order: found.order, verdict: judgeDraw(record, found) };
  };
  const { order, verdict } = check(noted && readHash(noted));
  const show = createMaskShow(record, order);
  const end = play(show, verdict);
  showFacts('facts', describeRecord(record));
  partOf('frozen').hidden = false;
  partOf('find').hidden = false;
  const showOwn = (id: string) => {
    const ownPlace = findOwnPlace(record, order, id);
    showFacts('own', describeOwn(ownPlace));
    showFacts('ownHashes', listOwnHashes(ownPlace));
    show.markOwn(ownPlace.position);
  };
  answerForm('form', 'id', (text) => {
    const id = readOwnId(text);
    if (id === null) return 'There is no member id in it.';
    showOwn(id);
    return '';
  });
  answerForm('notedForm', 'noted', (text) => {
    const hash = readHash(text);
    if (hash === null) return 'A hash has 64 digits from 0 to f.';
    end(check(hash).verdict);
    return '';
  });
  const member = memberStorage.read();
  if (member !== null) showOwn(member.id);
  if (record.announcement !== null) await showGiven(number);
}

/** Plays the show of a draw that fits. Returns a function that ends it with another verdict. */
function play(show: MaskShow, first: Verdict): (verdict: Verdict) => void {
  let verdict = first;
  const isPlayed = () => verdict.look === 'fits' && quietMode.getState() === 'off';
  const end = () => {
    show.finish();
    showVerdict(verdict);
    if (isPlayed()) showButton('Watch again', start);
    else partOf('button').hidden = true;
  };
  const start = () => {
    showVerdict(SHOWING);
    show.start(end);
  };
  quietMode.subscribe(end);
  if (isPlayed()) start();
  else end();
  return (next) => {
    verdict = next;
    end();
  };
}

const REFRESH_MS = 10_000;

/** Repeats itself, because the numbers change while members answer. */
async function showGiven(number: number): Promise<void> {
  const response = document.hidden ? null : await fetch(fillPath(apiPaths.given, number));
  if (response?.ok) {
    showFacts('given', describeGiven((await response.json()) as GivenView));
    partOf('givenCard').hidden = false;
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

start().catch((error: unknown) => {
  console.warn(error);
  showVerdict(FAILED);
  showButton('Try again', () => location.reload());
});
