import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ScannedPass } from '../../../contract/operator/drop/offers.ts';
import { doorPassesQuery, scanPass, undoScan } from '../../api/drop.ts';
import { hasStatus, isRefused, messageOf } from '../../api/request.ts';
import { useFormName, useKept } from '../../ui/kept-state.ts';
import { noAnswer, type Scan, stop, type Verdict, verdictOf } from './door-rules.ts';
import { createScanIds } from './scan-ids.ts';

const SHAKE_MS = [200, 80, 200];

export function useScans() {
  const queryClient = useQueryClient();
  const { data } = useQuery(doorPassesQuery);
  const { mutateAsync: send } = useMutation({
    mutationFn: ({ id: scan, code, drop, isUndone }: Scan): Promise<ScannedPass> =>
      isUndone
        ? undoScan({ code, scan })
        : scanPass({ code, scan, ...(drop !== null && { drop }) }),
  });
  const [chosen, setDrop] = useKept<number | null>(`${useFormName('Door')} drop`, null);
  const [ids] = useState(createScanIds);
  const drops = data?.passes.map((one) => one.drop) ?? [];
  const drop = chosen ?? drops[0] ?? null;

  async function ask(scan: Scan): Promise<Verdict> {
    const verdict = await answerTo(scan);
    ids.settle(scan, verdict);
    navigator.vibrate?.(verdict.tone === 'go' ? 60 : SHAKE_MS);
    return verdict;
  }

  async function answerTo(scan: Scan): Promise<Verdict> {
    try {
      const pass = await send(scan);
      void queryClient.invalidateQueries({ queryKey: doorPassesQuery.queryKey });
      return verdictOf(pass, Date.now());
    } catch (error) {
      if (!isRefused(error)) return noAnswer(messageOf(error), scan);
      return stop(hasStatus(error, 404) ? 'Unknown code' : 'Refused', [messageOf(error)]);
    }
  }

  return {
    ...{ ask, drop, drops, setDrop },
    scanOf: (code: string) => ids.scanOf(code, drop),
    passes: data && (data.passes.find((one) => one.drop === drop) ?? { all: 0, used: 0 }),
  };
}
