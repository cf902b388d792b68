import { useContext } from 'react';
import { JoiningSection } from '../../parts/changes/joining-section.tsx';
import { SignedIn } from '../../parts/signed-in.ts';
import { useTitle } from '../../routing/use-title.ts';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { KeysSection } from './keys-section.tsx';
import { OperatorsSection } from './operators-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** Who may enter the console and how, and whether visitors may join. */
export function SettingsScreen() {
  useTitle('Settings');
  const me = useContext(SignedIn);
  const isOwner = me?.role === 'owner';
  const own = me?.session ?? null;
  return (
    <>
      <PageHeader title="Settings" note="Who may enter, and who may join." />
      <JoiningSection />
      <OperatorsSection isOwner={isOwner} ownId={own?.operator.id ?? null} />
      {own && <PasskeysSection origin={me?.passkey_origin ?? null} />}
      {own && <SessionsSection />}
      {isOwner && <KeysSection />}
    </>
  );
}
