import { Link } from 'wouter';
import { screens } from '../../routing/screens.tsx';
import { useTitle } from '../../routing/use-title.ts';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';

export function NotFoundScreen() {
  useTitle('Not found');
  const [{ path, label }] = screens;
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyFace
        title="The console has no such screen"
        action={
          <Link href={path} className="button button-secondary">
            Go to {label}
          </Link>
        }
      >
        The address may be mistyped, or from another version.
      </EmptyFace>
    </>
  );
}
