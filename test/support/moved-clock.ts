/**
 * Moves the clock of this process as setting the machine's would: durations go on, the date jumps.
 */
const TrueDate = Date;
let movedByMs = 0;

class MovedDate extends TrueDate {
  constructor(...given: []) {
    if (given.length === 0) super(TrueDate.now() + movedByMs);
    else super(...given);
  }

  static override now(): number {
    return TrueDate.now() + movedByMs;
  }
}

/** Sets the clock apart from the true time by `byMs`; the embedded database here follows. */
export function moveClock(byMs: number): void {
  movedByMs = byMs;
  globalThis.Date = byMs === 0 ? TrueDate : (MovedDate as DateConstructor);
}
