import { Problem } from '../problem.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id in the spelling in which it is kept; null for what cannot be one, which the database need not be asked about. */
export function readMemberId(text: string): string | null {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : null;
}

export function unknownMember(): Problem {
  return new Problem('unknown_member', 'Nobody in line has this link. It may be mistyped, or its owner has left.');
}
