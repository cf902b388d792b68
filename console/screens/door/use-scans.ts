import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  DoorPasses,
  ScannedPass,
  ScanRequest,
  UndoScanRequest,
} from '../../../contract/operator/drop/offers.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { post, read } from '../../api/queries.ts';
import { hasStatus, isRefused, messageOf } from '../../api/request.ts';
import { useFormName, useKept } from '../../ui/kept-state.ts';
import { noAnswer, type Scan, stop, type Verdict, verdictOf } from './door-rules.ts';
import { createScanIds } from './scan-ids.ts';

const REFRESH_MS = 15_000;
/** A queue at a door waits no longer: the same scan is sent again. */
const TIMEOUT_MS = 4_000;
const SHAKE_MS = [200, 80, 200];

const passesQuery = read<DoorPasses>(operatorPaths.doorPasses, REFRESH_MS);

export function useScans() {
  const queryClient = useQueryClient();
  const { data } = useQuery(passesQuery);
  const { mutateAsync: send } = useMutation({
    mutationFn: ({ id: scan, code, drop, isUndone }: Scan) => {
      const undo: UndoScanRequest = { code, scan };
      if (isUndone) return post<ScannedPass>(operatorPaths.undoScan, undo, TIMEOUT_MS);
      const wanted: ScanRequest = { code, scan, ...(drop !== null && { drop }) };
      return post<ScannedPass>(operatorPaths.scanPass, wanted, TIMEOUT_MS);
    },
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
      void queryClient.invalidateQueries(passesQuery);
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
