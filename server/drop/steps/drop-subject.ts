import type { Subject } from '../../changes/audit/audit-record.ts';

/** Of an audit entry about a drop. */
export function dropSubject(number: number): Subject {
  return { kind: 'drop', id: String(number) };
}
