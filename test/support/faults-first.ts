import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Where no earlier run tells how long a file takes, Vitest begins with the largest. What breaks servers takes longest, however short it is. */
export class FaultsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFault = ({ moduleId }: TestSpecification) => /\/test\/(faults|cluster)\//.test(moduleId);
    return [...sorted.filter(isFault), ...sorted.filter((file) => !isFault(file))];
  }
}
