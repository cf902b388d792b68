import { hashAnnouncement, hashEntered, hashList } from './draw-hash-rules.ts';
import { drawOrder, listTaking, ruleProblem } from './draw-order-rules.ts';
import type {
  Announcement,
  DrawEntrant,
  DrawPlace,
  DrawRecord,
  FrozenList,
} from './draw-record.ts';
import { randomnessFrom, timeOfRound } from './randomness-rules.ts';
import { MAX_WEIGHT } from './weight-rules.ts';

export type DrawCheck = {
  readonly problems: readonly string[];
  /** The hash of the announcement alone binds list, rule and randomness. */
  readonly comparedWith: 'nothing' | 'list' | 'announcement';
  readonly listHash: string;
  readonly announcementHash: string | null;
  /** Null before the draw, and when its randomness is not the announced one. */
  readonly order: readonly DrawPlace[] | null;
};

/** `expected` is a noted hash: without it, a record changed in all its parts fits, too. */
export function verifyDraw(record: DrawRecord, expected: string | null = null): DrawCheck {
  const problems = [...listProblems(record)];
  const listHash = hashList(record);
  if (listHash !== record.list_hash)
    problems.push(`The list has the hash ${listHash}, not ${record.list_hash}.`);
  const { announcement } = record;
  const announcementHash = announcement && hashAnnouncement(announcement);
  if (announcementHash !== record.announcement_hash)
    problems.push(
      `The announcement has the hash ${announcementHash}, not ${record.announcement_hash}.`,
    );
  const hashes = { announcement: announcementHash, list: listHash };
  const compared = (['announcement', 'list'] as const).find((name) => hashes[name] === expected);
  const comparedWith: DrawCheck['comparedWith'] = (expected !== null && compared) || 'nothing';
  if (expected !== null && comparedWith === 'nothing')
    problems.push(`Neither list nor announcement has the hash ${expected} that you noted.`);
  const check = { problems, comparedWith, listHash, announcementHash };
  if (announcement === null) {
    if (record.order !== null) problems.push('The draw was never announced.');
    return { ...check, order: null };
  }
  problems.push(...announcementProblems(announcement, record, listHash));
  problems.push(...enteredProblems(announcement, record));
  const order = record.order && recompute(record, announcement);
  if (record.order !== null && order === null)
    problems.push('The randomness is not the announced one.');
  if (record.order !== null && order !== null) {
    const differing = firstDifference(order, record.order);
    if (differing !== null) problems.push(differing);
  }
  return { ...check, order };
}

export const PROOFS: Readonly<Record<DrawCheck['comparedWith'], string>> = {
  nothing: 'It is consistent with itself, compared with nothing: enter a hash that you noted.',
  list: 'The list has the hash that you noted. An announcement has a hash of its own: compare it.',
  announcement: 'It has the hash that you noted.',
};

function listProblems({ version, entrants }: FrozenList): string[] {
  const problems: string[] = [];
  if (version !== undefined && version !== 2)
    problems.push(`This check does not know version ${version} of a record.`);
  if (entrants.some(({ position }, index) => position !== index + 1))
    problems.push('The positions of the list have gaps, or are out of order.');
  if (entrants.some(({ ticket }) => !/^[0-9a-f]{64}$/.test(ticket)))
    problems.push('A ticket is not a hash.');
  if (new Set(entrants.map(({ ticket }) => ticket)).size < entrants.length)
    problems.push('A ticket is on the list twice.');
  const isWeighted = version !== undefined;
  if (!entrants.every((entrant) => hasPossibleWeight(entrant, isWeighted)))
    problems.push('A ticket has an impossible weight.');
  return problems;
}

/** Before version 2 lost drops alone gave a ticket more weight. */
function hasPossibleWeight({ weight, losses }: DrawEntrant, isWeighted: boolean): boolean {
  const [number, other] = isWeighted ? [weight ?? 0, losses] : [losses ?? 1, weight];
  return other === undefined && Number.isInteger(number) && number > 0 && number <= MAX_WEIGHT;
}

function announcementProblems(
  announcement: Announcement,
  { number, entrants, frozen_at }: FrozenList,
  listHash: string,
): string[] {
  const problems: string[] = [];
  if (announcement.number !== number) problems.push('The announcement is of another drop.');
  if (announcement.list_hash !== listHash)
    problems.push(`The draw was announced for the list ${announcement.list_hash}, not this one.`);
  const broken = ruleProblem(announcement, entrants.length);
  if (broken !== null) problems.push(broken);
  const { randomness } = announcement;
  const announcedAt = timeOf(announcement.announced_at);
  if (!(timeOf(frozen_at) <= announcedAt))
    problems.push('The draw was announced before the list was frozen.');
  if (randomness.source === 'quicknet' && !(announcedAt < timeOfRound(randomness.round)))
    problems.push('The round was public before the draw was announced.');
  return problems;
}

function enteredProblems(
  { entered_hash: announced }: Announcement,
  { entrants, entered }: DrawRecord,
): string[] {
  const hash = entered && hashEntered(entered);
  const isOnList = (position: number, index: number) =>
    entrants[position - 1] !== undefined && position > (entered?.[index - 1] ?? 0);
  return [
    ...(hash === announced
      ? []
      : [`Those who entered have the hash ${hash ?? null}, not ${announced ?? null}.`]),
    ...(entered?.every(isOnList) === false ? ['Somebody entered who is not on the list.'] : []),
  ];
}

/** NaN unless it is written as the recipe says, so that all programs read the same moment. */
function timeOf(text: string): number {
  const time = Date.parse(text);
  return Number.isFinite(time) && new Date(time).toISOString() === text ? time : Number.NaN;
}

function recompute(
  { evidence, ...record }: DrawRecord,
  announcement: Announcement,
): DrawPlace[] | null {
  const entrants = listTaking(record);
  if (announcement.randomness.source === 'none') return drawOrder(entrants, announcement, null);
  const randomness = randomnessFrom(announcement.randomness, evidence ?? '');
  return randomness === null ? null : drawOrder(entrants, announcement, randomness);
}

function firstDifference(own: readonly DrawPlace[], told: readonly DrawPlace[]): string | null {
  const index = own.findIndex(
    ({ position, size }, place) => position !== told[place]?.position || size !== told[place]?.size,
  );
  if (index === -1 && own.length === told.length) return null;
  const place = index === -1 ? own.length : index;
  const [is, should] = [tell(told[place]), tell(own[place])];
  return `Place ${place + 1} of the order is ${is}, and should be ${should}.`;
}

function tell(place: DrawPlace | undefined): string {
  if (place === undefined) return 'empty';
  return `position ${place.position} with ${place.size ?? 'no mask'}`;
}
