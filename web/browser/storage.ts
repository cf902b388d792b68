/** The two keys of docs/behaviour.md 3. A browser that refuses storage never stops a visit. */
import { isJoinedMember, isMember, type JoinedMember } from '../api/answer-shapes.ts';

const MEMBER_ID_KEY = 'waitlist.member_id';
const MEMBER_KEY = 'waitlist.member';

/** `open`: reading `localStorage` may itself throw. */
export function createMemberStorage(open: () => Storage) {
  function clear(): void {
    guard(() => {
      const storage = open();
      storage.removeItem(MEMBER_ID_KEY);
      storage.removeItem(MEMBER_KEY);
    });
  }

  return {
    clear,
    write(member: JoinedMember): void {
      guard(() => {
        const storage = open();
        storage.setItem(MEMBER_ID_KEY, member.id);
        storage.setItem(MEMBER_KEY, JSON.stringify(member));
      });
    },
    /** Clears a record of nobody. One whose fields are not whole is the id alone. */
    read(): JoinedMember | null {
      const stored = guard(() => {
        const storage = open();
        const member: unknown = JSON.parse(storage.getItem(MEMBER_KEY) ?? '');
        if (!isJoinedMember(member) || member.id !== storage.getItem(MEMBER_ID_KEY)) return null;
        return isMember(member) ? member : { id: member.id };
      });
      if (!stored) clear();
      return stored ?? null;
    },
  };
}

export const memberStorage = createMemberStorage(() => localStorage);

function guard<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
