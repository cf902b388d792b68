/** Half tickets by friends who confirmed: records and draws have whole numbers alone. */
const HALF_TICKETS = [
  { friends: 25, weight: 5 },
  { friends: 10, weight: 4 },
  { friends: 3, weight: 3 },
] as const;
const ONE_TICKET = 2;

/** A draw hashes each half ticket with its number, which is one byte. */
export const MAX_WEIGHT = 255;

export function weightOf(friends: number): number {
  return HALF_TICKETS.find((step) => friends >= step.friends)?.weight ?? ONE_TICKET;
}

export function weightWords(weight: number): string {
  return `${weight / ONE_TICKET} ticket${weight === ONE_TICKET ? '' : 's'}`;
}
