import { useEffect, useState } from 'react';
import { ghostSvg } from '../../../brand/art/ghost.ts';
import { memberStorage } from '../../browser/storage.ts';
import { EMPTY_STATE, type PrerenderedState } from '../../prerendered-state.ts';

/** The form turns into the face (0.6 s), and a charge paints it (1.1 s). Then the digits settle. */
const ARRIVAL_MS = 1700;

/**
 * The code of a member who joined in this browser, from which their face is drawn before the answer
 * of the server. `isArriving`: they come from the form.
 */
export function useOwnFace(
  memberId: string,
  prerendered: PrerenderedState,
): { readonly code: string | undefined; readonly isArriving: boolean } {
  const isFromForm = prerendered === EMPTY_STATE;
  // At once where the view transition needs the face; otherwise as the server has rendered it.
  const [code, setCode] = useState(() => (isFromForm ? readCode(memberId) : undefined));
  const [isArriving, setArriving] = useState(isFromForm);

  useEffect(() => {
    setCode(readCode(memberId));
    const timers = [
      setTimeout(() => setArriving(false), ARRIVAL_MS),
      // The light on the mask is the same for every face.
      setTimeout(() => ghostSvg('ANYBODY')),
    ];
    return () => timers.forEach(clearTimeout);
  }, [memberId]);

  return { code, isArriving };
}

function readCode(memberId: string): string | undefined {
  const member = memberStorage.read();
  return member?.id === memberId ? member.referral_code : undefined;
}
