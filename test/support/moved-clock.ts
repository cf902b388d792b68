/** The clock of this process put forward or back, as somebody does who sets the machine's: durations go on, the time of day jumps. */
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

/** From the true time; 0 puts it right again. The embedded database, which lives in this process, goes along. */
export function moveClock(byMs: number): void {
  movedByMs = byMs;
  globalThis.Date = byMs === 0 ? TrueDate : (MovedDate as DateConstructor);
}
