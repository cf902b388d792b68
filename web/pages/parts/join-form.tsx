import type { ReactNode } from 'react';
import { brand } from '../../../brand/brand.ts';
import { useJoinForm } from '../../form/use-join-form.ts';
import type { Served } from '../../served.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';

export const EMAIL_FIELD_ID = 'email';

type JoinFormProps = {
  readonly page: 'landing' | 'invite';
  /** The code to join with; null when nobody invited. */
  readonly referredBy: string | null;
  readonly served: Served;
  readonly submitLabel: string;
  readonly children?: ReactNode;
};

/** One field and one button. `children` stand under the button. */
export function JoinForm({ page, referredBy, served, submitLabel, children }: JoinFormProps) {
  const form = useJoinForm({ page, referredBy, served });
  return (
    <form className="join-form" {...form.formProps}>
      <input {...form.referralProps} />
      <TextField
        id={EMAIL_FIELD_ID}
        label="Email"
        placeholder="you@domain.com"
        message={form.message}
        progress={form.isProving ? brand.copy.proofNote : ''}
        isInvalid={form.isInvalid}
        {...form.fieldProps}
      />
      <Button type="submit" isBusy={form.isJoining}>
        {form.isJoining ? 'JOINING...' : submitLabel}
      </Button>
      {children}
    </form>
  );
}
