/** Compares the answers of the server with those that it should give. */

export type ExpectStatus = (what: string, found: number, wanted: number) => void;

export type Answers = {
  readonly expectStatus: ExpectStatus;
  /** How many were compared. */
  count(): number;
  /** Sentences; none when all were right. */
  readonly wrong: readonly string[];
};

export function openAnswers(): Answers {
  const wrong: string[] = [];
  let count = 0;
  return {
    expectStatus(what, found, wanted) {
      count += 1;
      if (found !== wanted) wrong.push(`${what} was answered ${found}, not ${wanted}.`);
    },
    count: () => count,
    wrong,
  };
}
