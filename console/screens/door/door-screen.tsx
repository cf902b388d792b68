import { type CSSProperties, useContext, useEffect, useRef, useState } from 'react';
import { noteAttention } from '../../api/attention.ts';
import { Screen } from '../../parts/screen.tsx';
import { SignedIn } from '../../parts/signed-in.ts';
import { Button } from '../../ui/buttons.tsx';
import { Form, Select, TextField } from '../../ui/fields.tsx';
import { formatAmount, formatCount, formatMinute } from '../../ui/formats.ts';
import { Banner } from '../../ui/states.tsx';
import { leaveForGood, useAccessChange } from '../access/access-change.tsx';
import { Camera } from './camera.tsx';
import { readCode, type Scan, type Verdict } from './door-rules.ts';
import { type Taken, useScans } from './use-scans.ts';

/** The server undoes a hand-over for a minute; the call takes some of it. */
const UNDO_MS = 58_000;
/** A pass that stays before the camera is scanned once. */
const SAME_PASS_MS = 3_000;

const CHECKING: Verdict = { tone: 'wait', title: 'Checking', size: '', lines: [] };

export function DoorScreen() {
  const { take, undo, waiting, conflicts, setConflicts, drop, drops, setDrop, passes } = useScans();
  const me = useContext(SignedIn);
  const leave = useAccessChange(leaveForGood);
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [undoable, setUndoable] = useState<Scan | null>(null);
  const [typed, setTyped] = useState('');
  // A ref, because the camera sees the next code before the page has rendered.
  const isFree = useRef(true);
  const last = useRef({ code: '', seenAt: 0 });

  async function check(code: string): Promise<void> {
    if (code === '' || !isFree.current) return;
    isFree.current = false;
    setVerdict(CHECKING);
    const { scan, verdict: found }: Taken = await take(code);
    last.current = { code, seenAt: Date.now() };
    setVerdict(found);
    setUndoable(found.tone === 'go' || found.tone === 'unsure' ? scan : null);
    setTyped('');
  }

  async function takeBack(scan: Scan): Promise<void> {
    setUndoable(null);
    setVerdict(CHECKING);
    setVerdict(await undo(scan));
  }

  useEffect(() => {
    if (undoable === null) return;
    const timer = setTimeout(() => setUndoable(null), undoable.at + UNDO_MS - Date.now());
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
    setVerdict(null);
    setUndoable(null);
  }

  const used = formatCount(passes?.filter(({ state }) => state === 'used').length ?? 0);
  return (
    <Screen
      title="Door"
      note={
        passes &&
        `Drop ${drop ?? '—'}: ${used} of ${formatAmount(passes.length, 'pass', 'passes')} used`
      }
    >
      <div className="door">
        {conflicts.length > 0 && (
          <div className="door-conflicts" role="alert">
            <h2>A mask may have gone to the wrong person</h2>
            <ul>
              {conflicts.map(({ id, at, verdict: { title, lines } }) => (
                <li key={id}>
                  {`Scanned without network on ${formatMinute(new Date(at).toISOString())}: ` +
                    [title, ...lines].join(' · ')}
                </li>
              ))}
            </ul>
            <Button onClick={() => setConflicts([])}>I have told an owner</Button>
          </div>
        )}
        {waiting > 0 && (
          <Banner tone="ember">
            {`${formatAmount(waiting, 'scan is', 'scans are')} unsure until the network is back.`}
          </Banner>
        )}
        {drops.length > 1 && (
          <Select
            label="Masks of this door"
            options={Object.fromEntries(drops.map((one) => [one, `Drop ${one}`]))}
            value={String(drop)}
            onChange={(one) => setDrop(Number(one))}
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
        {verdict === null ? (
          <Form className="door-form" onSubmit={() => void check(readCode(typed))}>
            <TextField
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
            <Button key={verdict.tone} autoFocus isBusy={verdict === CHECKING} onClick={goOn}>
              Next
            </Button>
            {undoable && (
              <Button variant="secondary" onClick={() => void takeBack(undoable)}>
                Wrong tap: take it back
              </Button>
            )}
          </div>
        )}
        {me?.role === 'door' && (
          // It would forget the scans that are unsure.
          <Button variant="quiet" disabled={waiting > 0} onClick={() => leave.mutate(undefined)}>
            Sign out
          </Button>
        )}
      </div>
    </Screen>
  );
}
