import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ScannedPass } from '../../../contract/operator/drop/offers.ts';
import { doorPassesQuery, scanPass, undoScan } from '../../api/drop.ts';
import { hasStatus, isRefused, messageOf } from '../../api/request.ts';
import { useFormName, useKept } from '../../ui/kept-state.ts';
import { judgeOffline, type Scan, stop, UNDONE, type Verdict, verdictOf } from './door-rules.ts';

const SETTLE_EVERY_MS = 3_000;
const SHAKE_MS = [200, 80, 200];

export type Taken = { readonly scan: Scan; readonly verdict: Verdict };

/** A scan without an answer is unsure: the browser stores it and sends it again. */
export function useScans() {
  const queryClient = useQueryClient();
  const { data } = useQuery(doorPassesQuery);
  const { mutateAsync: send } = useMutation({
    mutationFn: ({ id: scan, code, drop, at, isUndone }: Scan): Promise<ScannedPass> => {
      if (isUndone) return undoScan({ code, scan });
      const waited_seconds = Math.max(0, Math.round((Date.now() - at) / 1000));
      return scanPass({ code, scan, ...(drop !== null && { drop }), waited_seconds });
    },
  });
  const name = useFormName('Door');
  const [unsure, setUnsure] = useList<Scan>(`${name} unsure`);
  const [conflicts, setConflicts] = useList<Scan & { verdict: Verdict }>(`${name} conflicts`);
  const [chosen, setChosen] = useKept<number | null>(`${name} drop`, null);
  const isSettling = useRef(false);
  const drops = [...new Set(data?.passes.map((pass) => pass.drop))].sort((a, b) => b - a);
  const drop = chosen ?? drops[0] ?? null;
  const ofDrop = data?.passes.filter((pass) => pass.drop === drop);

  async function ask(scan: Scan): Promise<Verdict | null> {
    try {
      const pass = await send(scan);
      void queryClient.invalidateQueries({ queryKey: doorPassesQuery.queryKey });
      return verdictOf(pass, Date.now());
    } catch (error) {
      if (!isRefused(error)) return null;
      return stop(hasStatus(error, 404) ? 'Unknown code' : 'Refused', [messageOf(error)]);
    }
  }

  async function take(code: string): Promise<Taken> {
    const scan: Scan = { id: randomId(), code, drop, at: Date.now() };
    const verdict =
      (await ask(scan)) ?? judgeOffline(scan, await hashOf(code), data?.passes ?? null, unsure());
    if (verdict.tone === 'unsure') setUnsure([...unsure(), scan]);
    navigator.vibrate?.(verdict.tone === 'go' ? 60 : SHAKE_MS);
    return { scan, verdict };
  }

  /** Without an answer, the scan is undone later: it may have arrived. */
  async function undo(scan: Scan): Promise<Verdict> {
    const undone = { ...scan, isUndone: true };
    const others = unsure().filter(({ id }) => id !== scan.id);
    setUnsure([...others, undone]);
    const verdict = await ask(undone);
    if (verdict === null) return stop(UNDONE, ['It is undone once the network is back.']);
    setUnsure(unsure().filter(({ id }) => id !== scan.id));
    return verdict;
  }

  const settle = useEffectEvent(async () => {
    if (isSettling.current) return;
    isSettling.current = true;
    for (const scan of unsure()) {
      const verdict = await ask(scan);
      if (verdict === null) break;
      // It is found without its id, because it may have been undone meanwhile.
      setUnsure(unsure().filter((one) => one !== scan));
      if (verdict.tone === 'go' || (scan.isUndone && verdict.title === UNDONE)) continue;
      setConflicts([...conflicts(), { ...scan, verdict }]);
      navigator.vibrate?.(SHAKE_MS);
    }
    isSettling.current = false;
  });

  const waiting = unsure().length;
  useEffect(() => {
    if (waiting === 0) return;
    const timer = setInterval(settle, SETTLE_EVERY_MS);
    return () => clearInterval(timer);
  }, [waiting]);

  return {
    ...{ take, undo, waiting, conflicts: conflicts(), setConflicts },
    ...{ drop, drops, setDrop: setChosen, passes: ofDrop },
  };
}

/** A list that survives a reload, read as it is now by whatever goes on meanwhile. */
function useList<T>(name: string) {
  const [list, setList] = useKept<readonly T[]>(name, []);
  const now = useRef(list);
  const change = (next: readonly T[]) => {
    now.current = next;
    setList(next);
  };
  return [() => now.current, change] as const;
}

/** Pages without HTTPS have no `randomUUID`. */
function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

/** Null without HTTPS, where browsers hash nothing. */
async function hashOf(code: string): Promise<string | null> {
  const hash = await crypto.subtle?.digest('SHA-256', new TextEncoder().encode(code));
  if (hash === undefined) return null;
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
