import type { Fairness } from '../../brand/brand-shape.ts';
import type { FraudSignals } from '../line/join/join-request.ts';
import { addressTraits } from './address-rules.ts';
import { isDisposable } from './disposable-domains.ts';
import { collectEvidence } from './evidence.ts';
import { openRules } from './fraud-rules.ts';
import { Flag, hash32, type JoinMemory } from './join-memory.ts';

export type Trace = {
  readonly narrow: number;
  readonly wide: number;
  readonly hints: number;
  readonly flags: number;
};

export type AssessedJoin = Trace & {
  readonly mailbox: string;
  readonly code: string | null;
};

type Rules = Pick<Fairness, 'rules' | 'noteAt'>;

export function openAssessor(memory: JoinMemory, { rules, noteAt }: Rules) {
  const weighSignals = openRules(rules);
  return {
    remember({ mailbox, code, narrow, wide, hints, flags }: AssessedJoin): number {
      const { domain, stem, isRandom, isUnreachable } = addressTraits(mailbox);
      return memory.add({
        narrow,
        wide,
        hints,
        code: hash32(code ?? ''),
        mailbox: hash32(mailbox),
        stem: hash32(stem),
        flags:
          flags |
          (isRandom ? Flag.random : 0) |
          (isUnreachable ? Flag.unreachable : 0) |
          (isDisposable(domain) ? Flag.disposable : 0),
      });
    },
    assess(join: number): FraudSignals | null {
      if (memory.read('code', join) === 0) return null;
      const signals = weighSignals(collectEvidence(memory, join));
      return signals === null || signals.score < noteAt ? null : signals;
    },
  };
}
