/** The two keys of docs/behaviour.md 3. A browser that refuses storage never stops a visit. */
import { isJoinedMember, isMember, type JoinedMember } from '../api/answer-shapes.ts';
import { type BrowserMemory, createBrowserMemory } from '../ui/browser-memory.ts';

const MEMBER_ID_KEY = 'waitlist.member_id';
const MEMBER_KEY = 'waitlist.member';

export function createMemberStorage({ read, write }: BrowserMemory) {
  function clear(): void {
    for (const key of [MEMBER_ID_KEY, MEMBER_KEY]) write(key, null);
  }

  return {
    clear,
    write(member: JoinedMember): void {
      write(MEMBER_ID_KEY, member.id);
      write(MEMBER_KEY, JSON.stringify(member));
    },
    /** Clears a record of nobody. One whose fields are not whole is the id alone. */
    read(): JoinedMember | null {
      const member = parse(read(MEMBER_KEY));
      if (isJoinedMember(member) && member.id === read(MEMBER_ID_KEY))
        return isMember(member) ? member : { id: member.id };
      clear();
      return null;
    },
  };
}

export const memberStorage = createMemberStorage(createBrowserMemory(() => localStorage));

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
