import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { doorPassesQuery, scanPass } from '../../api/drop.ts';
import { hasStatus, isRefused, messageOf } from '../../api/request.ts';
import { useFormName, useKept } from '../../ui/kept-state.ts';
import { judgeOffline, type Scan, stop, type Verdict, verdictOf } from './door-rules.ts';

const SETTLE_EVERY_MS = 3_000;
const SHAKE_MS = [200, 80, 200];

/** A scan without an answer is unsure: the browser stores it and sends it again. */
export function useScans() {
  const queryClient = useQueryClient();
  const { data } = useQuery(doorPassesQuery);
  const { mutateAsync: send } = useMutation({ mutationFn: scanPass });
  const name = useFormName('Door');
  const [unsure, setUnsure] = useList<Scan>(`${name} unsure`);
  const [conflicts, setConflicts] = useList<Scan & { verdict: Verdict }>(`${name} conflicts`);
  const isSettling = useRef(false);

  async function ask({ id, code, at }: Scan): Promise<Verdict | null> {
    const waited_seconds = Math.max(0, Math.round((Date.now() - at) / 1000));
    try {
      const pass = await send({ code, scan: id, waited_seconds });
      void queryClient.invalidateQueries({ queryKey: doorPassesQuery.queryKey });
      return verdictOf(pass, Date.now());
    } catch (error) {
      if (!isRefused(error)) return null;
      return stop(hasStatus(error, 404) ? 'Unknown code' : 'Refused', [messageOf(error)]);
    }
  }

  async function take(code: string): Promise<Verdict> {
    const scan: Scan = { id: randomId(), code, at: Date.now() };
    const verdict =
      (await ask(scan)) ?? judgeOffline(code, await hashOf(code), data?.passes ?? null, unsure());
    if (verdict.tone === 'unsure') setUnsure([...unsure(), scan]);
    navigator.vibrate?.(verdict.tone === 'go' ? 60 : SHAKE_MS);
    return verdict;
  }

  const settle = useEffectEvent(async () => {
    if (isSettling.current) return;
    isSettling.current = true;
    for (const scan of unsure()) {
      const verdict = await ask(scan);
      if (verdict === null) break;
      setUnsure(unsure().filter(({ id }) => id !== scan.id));
      if (verdict.tone === 'go') continue;
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

  return { take, waiting, conflicts: conflicts(), setConflicts, passes: data?.passes };
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
