import { useEffect, useState } from 'react';
import type { JoinedMember } from '../api/answer-shapes.ts';
import { memberStorage } from './storage.ts';

/** The member who joined in this browser; null in the first render. `forget` is 'Not you?'. */
export function useStoredMember(): {
  readonly member: JoinedMember | null;
  readonly forget: () => void;
} {
  const [member, setMember] = useState<JoinedMember | null>(null);
  useEffect(() => setMember(memberStorage.read()), []);
  return {
    member,
    forget() {
      memberStorage.clear();
      setMember(null);
    },
  };
}
