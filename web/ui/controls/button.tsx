import type { ComponentPropsWithRef } from 'react';

type Look = {
  readonly variant?: 'primary' | 'secondary';
};

type ButtonProps = ComponentPropsWithRef<'button'> &
  Look & {
    readonly isBusy?: boolean;
  };

export function Button({
  variant = 'primary',
  isBusy = false,
  disabled,
  className,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(variant, className)}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
    />
  );
}

export function ButtonLink({
  variant = 'primary',
  className,
  ...rest
}: ComponentPropsWithRef<'a'> & Look) {
  return <a {...rest} className={classNames(variant, className)} />;
}

function classNames(variant: string, more: string | undefined): string {
  return `button button-${variant}${more ? ` ${more}` : ''}`;
}
