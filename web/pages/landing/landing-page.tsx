import type { PageProps } from '../../page-modules.ts';

export function LandingPage({ served }: PageProps) {
  return (
    <main>
      <h1>Landing</h1>
      <form method="post" noValidate>
        <input type="hidden" name="referred_by" defaultValue={served.referral} />
        <input type="email" name="email" defaultValue={served.formValue} />
        <p data-form-message="">{served.formMessage}</p>
        <button type="submit">SECURE YOUR SPOT</button>
      </form>
    </main>
  );
}
