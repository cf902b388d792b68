import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Browser tests last longest, and unit tests are short enough to fill the end of a run. */
const ORDER = ['browser', 'database', 'unit'];

/** Some last for minutes, and would be alone at the end. */
const LONG = /\/(faults\/overload|demo|hostile)\/|second-brand|drop-pages|states\/faults/;

/** A worker serves one project: changing between projects would start workers anew. */
export class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ project, moduleId }: TestSpecification) =>
      ORDER.indexOf(project.name) - (LONG.test(moduleId) ? 0.5 : 0);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
