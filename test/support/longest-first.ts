import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files start first, so that none is still running when all others have ended. */
const LONGEST = [
  /\/test\/((faults|cluster|limits)\/|http\/rival\b)/,
  /\/test\/console\/(drop|jobs|states|entering|acting|members)\b|\/demo\//,
  /\/test\/browser\/(second-brand|accessibility|drop-pages)\.test/,
  /\/test\/(http\/(backup|command-line|proof)|mail|share|line)\b/,
];

/**
 * On a fresh clone Vitest does not know how long a file takes, and would start with the largest.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((pattern) => pattern.test(moduleId));
      return found === -1 ? LONGEST.length : found;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
