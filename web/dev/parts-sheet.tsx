import type { ReactNode } from 'react';
import { brand } from '../../brand/brand.ts';
import { MaskMeter } from '../pages/parts/mask-meter.tsx';
import { TierBadge } from '../pages/status/referral-card.tsx';
import { toasts } from '../toasts.ts';
import { Badge } from '../ui/badge.tsx';
import { Banner } from '../ui/banner.tsx';
import { Button, ButtonLink } from '../ui/controls/button.tsx';
import { CopyField } from '../ui/controls/copy-field.tsx';
import { MusicToggle } from '../ui/controls/music-toggle.tsx';
import { QuietToggle } from '../ui/controls/quiet-toggle.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { DotNumber } from '../ui/numerals/dot-number.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import type { ToastMessage } from '../ui/toast/toast-store.ts';

/** States of pointer and keyboard. The gallery's styles apply them to `[data-force]` as well. */
const FORCED = ['rest', 'hover', 'focus-visible', 'active'] as const;

const field = { label: 'Email', placeholder: 'you@domain.com', message: '', isInvalid: false };
const copy = {
  label: 'Invite link',
  value: 'https://waitlist.example/invite/GH05T1GH05',
  inputRef: null,
  onCopy() {},
};

const filled = { defaultValue: 'member@example.com' };

const FIELDS = [
  { id: 'field-filled', label: 'filled', ...filled },
  { id: 'field-disabled', label: 'busy, disabled', ...filled, disabled: true },
  {
    id: 'field-progress',
    label: 'busy, with progress',
    ...filled,
    progress: brand.copy.proofNote,
    disabled: true,
  },
  {
    id: 'field-error',
    label: 'error',
    message: toasts.emailRequired.description ?? '',
    isInvalid: true,
  },
  {
    id: 'field-long',
    label: 'error of two lines',
    message: toasts.alreadyRegistered.description ?? '',
    isInvalid: true,
  },
];

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
            <TextField
              key={state}
              {...field}
              id={`field-${state}`}
              label={state}
              data-force={state}
            />
          ))}
          {FIELDS.map((own) => (
            <TextField key={own.id} {...field} {...own} />
          ))}
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
        <Row title="Mask meter, unlit and lit">
          <MaskMeter />
          <MaskMeter position={28} />
          <MaskMeter position={128} hasTrail />
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

/** The toast's own code renders nothing on the server. */
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
