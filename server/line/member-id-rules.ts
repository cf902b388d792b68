import { Problem } from '../problem.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A UUID of version 7, so that ids are neighbours in the index. `random` is 10 bytes. */
export function newMemberId(nowMs: number, random: Uint8Array): string {
  const time = nowMs.toString(16).padStart(12, '0');
  const bits = Buffer.from(random).toString('hex');
  const variant = (8 | (Number.parseInt(bits.charAt(3), 16) & 3)).toString(16);
  const [randomA, randomB, randomC] = [bits.slice(0, 3), bits.slice(4, 7), bits.slice(7, 19)];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomA}-${variant}${randomB}-${randomC}`;
}

/** The id in its stored form. Null for any other text, which spares the database a query. */
export function readMemberId(text: string): string | null {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : null;
}

export function unknownMember(): Problem {
  return new Problem(
    'unknown_member',
    'Nobody in line has this link. It may be mistyped, or its owner has left.',
  );
}
