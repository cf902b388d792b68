import type { ReactNode } from 'react';
import { brand } from '../../brand/brand.ts';
import { HundredMeter } from '../pages/parts/hundred-meter.tsx';
import { TierBadge } from '../pages/status/referrals/tier-badge.tsx';
import { toasts } from '../toasts.ts';
import { Badge } from '../ui/badge.tsx';
import { Banner } from '../ui/banner.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { DotNumber } from '../ui/dot-number.tsx';
import { MusicToggle } from '../ui/music-toggle.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { QuietToggle } from '../ui/quiet-toggle.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { ToastMessage } from '../ui/toast/toast-store.ts';

/** States that a pointer or the keyboard makes: the style sheet of this page holds them as `[data-force]` as well. */
const FORCED = ['rest', 'hover', 'focus-visible', 'active'] as const;

const field = { label: 'Email', placeholder: 'you@domain.com', message: '', isInvalid: false };
const copy = { label: 'Invite link', value: 'https://waitlist.example/invite/GH05T1GH05', inputRef: null, onCopy() {} };

/** Every part of web/ui in every state. Forced colours are a mode of the browser, which test/browser/forced-colours.test.ts asks for. */
export function PartsSheet() {
  return (
    <div className="page">
      <main>
        {(['primary', 'secondary'] as const).map((variant) => (
          <Row key={variant} title={`Button, ${variant}`}>
            {FORCED.map((state) => (
              <Button key={state} variant={variant} data-force={state}>
                {state}
              </Button>
            ))}
            <Button variant={variant} disabled>
              disabled
            </Button>
            <Button variant={variant} isBusy>
              busy
            </Button>
            <ButtonLink variant={variant} href="/">
              link
            </ButtonLink>
          </Row>
        ))}
        <Row title="Text field">
          {FORCED.map((state) => (
            <TextField key={state} {...field} id={`field-${state}`} label={state} data-force={state} />
          ))}
          <TextField {...field} id="field-filled" label="filled" defaultValue="member@example.com" />
          <TextField {...field} id="field-disabled" label="busy, disabled" defaultValue="member@example.com" disabled />
          <TextField
            {...field}
            id="field-progress"
            label="busy, telling with what"
            defaultValue="member@example.com"
            progress={brand.copy.proofNote}
            disabled
          />
          <TextField
            {...field}
            id="field-error"
            label="error"
            message={toasts.emailRequired.description ?? ''}
            isInvalid
          />
          <TextField
            {...field}
            id="field-long"
            label="error of two lines"
            message={toasts.alreadyRegistered.description ?? ''}
            isInvalid
          />
        </Row>
        <Row title="Copy field">
          <CopyField {...copy} id="copy-rest" isCopied={false} />
          <CopyField {...copy} id="copy-done" isCopied />
        </Row>
        <Row title="Music and quiet mode">
          {FORCED.map((state) => (
            <span key={state} data-force={state}>
              <MusicToggle isPlaying={false} onToggle={() => {}} />
            </span>
          ))}
          <MusicToggle isPlaying onToggle={() => {}} />
          {(['off', 'chosen', 'asked'] as const).map((state) => (
            <QuietToggle key={state} state={state} onToggle={() => {}} />
          ))}
        </Row>
        <Row title="Badge">
          <Badge>plain</Badge>
          <Badge tone="charged">charged</Badge>
          {[0, 1, 2, 3, 4].map((level) => (
            <TierBadge key={level} level={level} />
          ))}
        </Row>
        <Row title="Banner">
          <Banner tone="charged">Referral Active - Better Position Guaranteed!</Banner>
          <Banner tone="plain">Welcome back</Banner>
        </Row>
        <Row title="Progress">
          {[0, 33, 100].map((percent) => (
            <ProgressBar key={percent} label={`${percent} percent`} percent={percent} />
          ))}
        </Row>
        <Row title="Toast">
          {[toasts.linkCopied, toasts.musicBlocked, toasts.alreadyRegistered].map((toast) => (
            <StillToast key={toast.title} {...toast} />
          ))}
        </Row>
        <Row title="Dot numerals">
          <DotNumber prefix="#" value={128} />
          <DotNumber value={12_345_678} />
        </Row>
        <Row title="The Hundred, dark and lit">
          <HundredMeter />
          <HundredMeter lit={28} />
        </Row>
      </main>
    </div>
  );
}

function Row({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="label">{title}</h2>
      <div className="sheet-row">{children}</div>
    </section>
  );
}

/** The toast's look without its library, which draws nothing before a browser runs it. */
function StillToast({ title, description, variant }: ToastMessage) {
  return (
    <div className="toast" data-variant={variant}>
      <div className="toast-text">
        <p className="toast-title">{title}</p>
        {description && <p className="toast-description">{description}</p>}
      </div>
    </div>
  );
}
