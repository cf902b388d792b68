import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CSSProperties, useContext, useEffect, useRef, useState } from 'react';
import { leaveForGood } from '../../api/access.ts';
import { noteAttention } from '../../api/attention.ts';
import { call, read } from '../../api/queries.ts';
import { hasStatus, isRefused, messageOf } from '../../api/request.ts';
import { SignedIn, useAction } from '../../parts/changes.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Button } from '../../ui/buttons.tsx';
import { Field, Form, Select } from '../../ui/fields.tsx';
import { formatAmount, formatCount } from '../../ui/formats.ts';
import { useFormName, useKept } from '../../ui/kept-state.ts';
import { Camera } from './camera.tsx';
import { noAnswer, readCode, type Scan, stop, type Verdict, verdictOf } from './door-rules.ts';

/** The server undoes a hand-over for a minute; the calls take some of it. */
const UNDO_MS = 55_000;
/** A pass that stays before the camera is scanned once. */
const SAME_PASS_MS = 3_000;

const CHECKING: Verdict = { tone: 'wait', title: 'Checking', size: '', lines: [] };

export function DoorScreen() {
  const { ask, drop, drops, setDrop, passes } = useScans();
  const me = useContext(SignedIn);
  const leave = useAction(leaveForGood);
  const [shown, setShown] = useState<{ scan: Scan; verdict: Verdict } | null>(null);
  const [undoable, setUndoable] = useState<Scan | null>(null);
  const [typed, setTyped] = useState('');
  // A ref, because the camera sees the next code before the page has rendered.
  const isFree = useRef(true);
  const last = useRef({ code: '', seenAt: 0 });

  async function check(code: string): Promise<void> {
    if (code === '' || !isFree.current) return;
    isFree.current = false;
    await send({ id: randomId(), code });
    setTyped('');
  }

  async function send(scan: Scan): Promise<void> {
    setUndoable(null);
    setShown({ scan, verdict: CHECKING });
    const verdict = await ask(scan);
    last.current = { code: scan.code, seenAt: Date.now() };
    setShown({ scan, verdict });
    const mayBeGiven = verdict.tone === 'go' || (verdict.tone === 'unanswered' && !scan.isUndone);
    setUndoable(mayBeGiven ? { ...scan, isUndone: true } : null);
  }

  useEffect(() => {
    if (undoable === null) return;
    const timer = setTimeout(() => setUndoable(null), UNDO_MS);
    return () => clearTimeout(timer);
  }, [undoable]);

  function see(text: string): void {
    noteAttention();
    const code = text.trim();
    const { code: before, seenAt } = last.current;
    const now = Date.now();
    if (code === before) last.current = { code, seenAt: now };
    if (code !== before || now - seenAt > SAME_PASS_MS) void check(code);
  }

  function goOn(): void {
    isFree.current = true;
    setShown(null);
    setUndoable(null);
  }

  const verdict = shown?.verdict;
  const isUnanswered = verdict?.tone === 'unanswered';
  return (
    <Screen
      title="Door"
      note={
        passes &&
        `Drop ${drop ?? '—'}: ${formatCount(passes.used)} of ` +
          `${formatAmount(passes.all, 'pass', 'passes')} used`
      }
    >
      <div className="door">
        {drops.length > 1 && (
          <Select
            label="Masks of this door"
            options={Object.fromEntries(drops.map((number) => [number, `Drop ${number}`]))}
            value={String(drop)}
            onChange={(number) => setDrop(Number(number))}
          />
        )}
        <div className="door-view">
          <Camera onCode={see} />
          <div role="alert">
            {verdict && (
              <div className="door-verdict" data-tone={verdict.tone}>
                <h2>{verdict.title}</h2>
                <p
                  className="door-size"
                  style={{ '--letters': verdict.size.length } as CSSProperties}
                >
                  {verdict.size}
                </p>
                {verdict.lines.map((line) => (
                  <p key={line}>{line}</p>
                ))}
              </div>
            )}
          </div>
        </div>
        {shown === null ? (
          <Form className="door-form" onSubmit={() => void check(readCode(typed))}>
            <Field
              label="Code of the pass"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={100}
              value={typed}
              onChange={setTyped}
            />
            <Button type="submit">Check</Button>
          </Form>
        ) : (
          <div className="door-form">
            <Button
              key={shown.verdict.tone}
              autoFocus
              isBusy={shown.verdict === CHECKING}
              onClick={isUnanswered ? () => void send(shown.scan) : goOn}
            >
              {isUnanswered ? 'Try again' : 'Next'}
            </Button>
            {isUnanswered && <Button onClick={goOn}>Next</Button>}
            {undoable && (
              <Button variant="secondary" onClick={() => void send(undoable)}>
                Wrong tap: take it back
              </Button>
            )}
          </div>
        )}
        {me?.role === 'door' && (
          <Button variant="quiet" onClick={() => leave.mutate(undefined)}>
            Sign out
          </Button>
        )}
      </div>
    </Screen>
  );
}

const REFRESH_MS = 15_000;
/** A queue at a door waits no longer: the same scan is sent again. */
const TIMEOUT_MS = 4_000;
const SHAKE_MS = [200, 80, 200];

const passesQuery = read('GET doorPasses', { refetchInterval: REFRESH_MS });

function useScans() {
  const queryClient = useQueryClient();
  const { data } = useQuery(passesQuery);
  const { mutateAsync: send } = useMutation({
    mutationFn: ({ id: scan, code, isUndone }: Scan) => {
      const body = { code, scan };
      if (isUndone) return call('POST undoScan', { body, timeoutMs: TIMEOUT_MS });
      const wanted = { ...body, ...(drop !== null && { drop }) };
      return call('POST scanPass', { body: wanted, timeoutMs: TIMEOUT_MS });
    },
  });
  const [chosen, setDrop] = useKept<number | null>(`${useFormName('Door')} drop`, null);
  const drops = data?.passes.map((counts) => counts.drop) ?? [];
  const drop = chosen ?? drops[0] ?? null;

  async function ask(scan: Scan): Promise<Verdict> {
    const verdict = await answerTo(scan);
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

  const passes =
    data && (data.passes.find((counts) => counts.drop === drop) ?? { all: 0, used: 0 });
  return { ask, drop, drops, setDrop, passes };
}

/** Pages without HTTPS have no `randomUUID`. */
function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
