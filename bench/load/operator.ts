import type { ChangeKind, MadeChange } from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { callOperator } from '../../scripts/operator/call-operator.ts';

export type Operator = ReturnType<typeof openOperator>;

export function openOperator(dataDir: string) {
  const call = <T>(path: string, body?: object) =>
    callOperator<T>({ dataDir, operatorToken: null }, path, { body });
  return {
    call,
    async change(kind: ChangeKind, input: object): Promise<number> {
      const body = { kind, input, reason: 'measured' };
      return (await call<MadeChange>(operatorPaths.changes, body)).change;
    },
  };
}
