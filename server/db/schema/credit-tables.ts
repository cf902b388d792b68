/** The tables of 0012-credit-states.sql, as in tables.ts. */
import type { Generated } from 'kysely';

export type CreditTables = {
  credit_case: CreditCaseTable;
  code_hold: CodeHoldTable;
  second_look: SecondLookTable;
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
