import { brand } from '../../../brand/brand.ts';
import type { DoorPasses, ScannedPass } from '../../../contract/operator/drop/offers.ts';
import { formatMinute, formatRelative } from '../../ui/formats.ts';

/** `at`: milliseconds by the clock of the device. */
export type Scan = {
  readonly id: string;
  readonly code: string;
  readonly drop: number | null;
  readonly at: number;
  readonly isUndone?: boolean;
};

/** `size` is empty where no mask may be handed over. */
export type Verdict = {
  readonly tone: 'wait' | 'go' | 'stop' | 'unsure';
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
      return stop(UNDONE, ['Nothing is handed over: the pass is good again.', ...more]);
    case 'unpaid':
      return stop('Not paid', [UNPAID, ...more]);
    case 'other_drop':
      return stop(`Drop ${pass.drop}`, [otherDrop(pass.drop), ...more]);
    case 'cancelled':
      return stop('Cancelled', more);
    default: {
      const when = used_at && `${formatRelative(used_at, now)} (${formatMinute(used_at)})`;
      return stop('Already used', [`Used ${when} by ${used_by}`, ...more]);
    }
  }
}

export const UNDONE = 'Taken back';
const UNPAID =
  'No payment has arrived, or it went back. Who has yet to pay does so on their own page: scan ' +
  'again then.';
const otherDrop = (drop: number) => `It is for a mask of drop ${drop}: choose that drop above.`;

/** `hash` and `known` are null where unavailable. `before` has unsure scans of this device. */
export function judgeOffline(
  { code, drop }: Pick<Scan, 'code' | 'drop'>,
  hash: string | null,
  known: DoorPasses['passes'] | null,
  before: readonly Scan[],
): Verdict {
  if (before.some((scan) => scan.code === code && !scan.isUndone))
    return stop('Already used', ['This device has scanned it before, without network.']);
  if (hash === null || known === null)
    return unsure('?', 'This device has no list of the passes: the pass says which size.');
  const pass = known.find((one) => one.hash === hash);
  if (pass === undefined) return stop('Unknown code', ['It was not in the last list of passes.']);
  if (pass.state === 'used')
    return stop('Already used', ['Without network nobody says when and by whom.']);
  if (drop !== null && pass.drop !== drop) return stop(`Drop ${pass.drop}`, [otherDrop(pass.drop)]);
  if (pass.state === 'unpaid') return stop('Not paid', [UNPAID]);
  return unsure(pass.size, 'It was unused when the network was last there.');
}

export function stop(title: string, lines: readonly string[]): Verdict {
  return { tone: 'stop', title, size: '', lines };
}

function unsure(size: string, why: string): Verdict {
  const lines = [why, 'Another door may have had it: that shows when the network is back.'];
  return { tone: 'unsure', title: 'Unsure', size, lines };
}
