/** The tables of 0012-credit-states.sql and 0016-looking-back.sql, as in tables.ts. */
import type { Generated } from 'kysely';

export type CreditTables = {
  credit_case: CreditCaseTable;
  code_hold: CodeHoldTable;
  second_look: SecondLookTable;
  sweep_cursor: SweepCursorTable;
  digest_state: DigestStateTable;
};

type CreditCaseTable = {
  member_id: string;
  rules: string[];
  score: number;
  holds: boolean;
  created_at: Generated<Date>;
  decided_at: Date | null;
  decided_by: 'operator' | 'sweep' | null;
};

type CodeHoldTable = {
  member_id: string;
  since: Generated<Date>;
};

type SecondLookTable = {
  member_id: string;
  asked_at: Generated<Date>;
  answered_at: Date | null;
};

type SweepCursorTable = {
  is_only_row: Generated<boolean>;
  next_sequence: Generated<number>;
  pass_sequence: Generated<number>;
  pass_end: Generated<number>;
};

type DigestStateTable = {
  is_only_row: Generated<boolean>;
  sent_at: Date | null;
};
