import type { ChangeKind, ChangeRequest } from '../../contract/operator/changes.ts';
import {
  callOperator,
  openOperatorCall,
  readAnswer,
} from '../../scripts/operator/call-operator.ts';

export type Operator = ReturnType<typeof openOperator>;

export function openOperator(dataDir: string) {
  const server = { dataDir, operatorToken: null };
  return {
    call: async <T>(path: string, body?: object) =>
      await readAnswer<T>(await openOperatorCall(server, path, { body })),
    async change(kind: ChangeKind, input: object): Promise<number> {
      const body = { kind, input, reason: 'measured' } as ChangeRequest;
      return (await callOperator(server, 'POST changes', { body })).change;
    },
  };
}
