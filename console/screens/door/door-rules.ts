import { brand } from '../../../brand/brand.ts';
import type { ScannedPass } from '../../../contract/operator/drop/offers.ts';
import { formatMinute, formatRelative } from '../../ui/formats.ts';

/** Sent again with its id, a scan hands over no second mask. */
export type Scan = {
  readonly id: string;
  readonly code: string;
  readonly isUndone?: boolean;
};

/** `size` is empty where no mask may be handed over. */
export type Verdict = {
  readonly tone: 'wait' | 'go' | 'stop' | 'unanswered';
  readonly title: string;
  readonly size: string;
  readonly lines: readonly string[];
};

export function readCode(typed: string): string {
  const letters = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  const isOurs = /^[2-9A-HJ-NP-Z]{16}$/.test(letters);
  return isOurs ? letters.replaceAll(/.{4}(?=.)/g, '$&-') : typed.trim();
}

export function verdictOf(pass: ScannedPass, now: number): Verdict {
  const { size, used_at, used_by } = pass;
  const who = `${brand.specified.memberName} #${pass.position}, drop ${pass.drop}`;
  const lines = [who, pass.email ?? 'Has left the line'];
  const more = [...lines, `Size ${size}`];
  switch (pass.result) {
    case 'given':
      return { tone: 'go', title: 'Hand over', size, lines };
    case 'undone':
      return stop('Taken back', ['Nothing is handed over: the pass is good again.', ...more]);
    case 'unpaid':
      return stop('Not paid', [
        'No payment has arrived, or it went back. Who has yet to pay does so on their own page: ' +
          'scan again then.',
        ...more,
      ]);
    case 'other_drop':
      return stop(`Drop ${pass.drop}`, [
        `It is for a mask of drop ${pass.drop}: choose that drop above.`,
        ...more,
      ]);
    case 'cancelled':
      return stop('Cancelled', more);
    default: {
      const when = used_at && `${formatRelative(used_at, now)} (${formatMinute(used_at)})`;
      return stop('Already used', [`Used ${when} by ${used_by}`, ...more]);
    }
  }
}

export function stop(title: string, lines: readonly string[]): Verdict {
  return { tone: 'stop', title, size: '', lines };
}

/** The request may have arrived all the same. */
export function noAnswer(problem: string, { isUndone = false }: Pick<Scan, 'isUndone'>): Verdict {
  const next = isUndone
    ? 'The pass may still count as used: try again.'
    : 'Hand over nothing yet, and try again.';
  return { tone: 'unanswered', title: 'No answer', size: '', lines: [problem, next] };
}
