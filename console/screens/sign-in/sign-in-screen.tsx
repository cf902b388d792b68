import { brand } from '../../../brand/brand.ts';
import { useTitle } from '../../routing/use-title.ts';
import { CodeText } from '../../ui/data/code-text.tsx';

/** Shown in place of any screen while nobody is signed in: the URL stays. */
export function SignInScreen() {
  useTitle('Sign in');
  return (
    <main className="gate">
      <p className="frame-name">{brand.name}</p>
      <h1>Sign in to the console</h1>
      <p className="quiet">
        There are no passwords. On the machine of the server, print a link that signs you in once:
      </p>
      <CodeText label="the command" value="npm run waitlist -- sign-in" />
    </main>
  );
}
