import type { Campaign, CampaignRequest } from '../../../contract/operator/mail/campaigns.ts';
import { isRefused } from '../../api/request.ts';
import { forgetKept, readKept, writeKept } from '../../ui/kept-state.ts';
import { type SearchValues, writeFilter } from '../members/filter-rules.ts';
import { isSame, readRecipients } from './draft-rules.ts';

const PAUSE_MS = 1_000;
const RETRY_MS = 5_000;

type Values = { readonly subject: string; readonly body: string; readonly filter: SearchValues };
type Kept = { readonly values: Values; readonly revision: number };

export type DraftState = {
  readonly values: Values;
  /** Null until there is something to save. */
  readonly saved: Campaign | null;
  readonly isDirty: boolean;
  readonly error: Error | null;
};

type SaverOptions = {
  readonly saved: Campaign | null;
  readonly owner: string;
  /** `saved`: what the draft is based on. The answer may be another draft, with this text. */
  readonly save: (edit: { draft: CampaignRequest; saved: Campaign | null }) => Promise<Campaign>;
};

type DraftSaver = {
  readonly read: () => DraftState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly edit: (values: Partial<Values>) => void;
  /** Takes a newer revision, unless there is something to save. */
  readonly receive: (newer: Campaign | null) => void;
  readonly saveNow: () => void;
  /** Tries again what could not be saved. Returns a function that saves once, at once. */
  readonly open: () => () => void;
  readonly discard: () => void;
};

const saving = new Map<string, DraftSaver>();

/** Calls run one at a time, so none overtakes. A running call keeps the saver of its draft. */
export function openDraftSaver({ saved, owner, save }: SaverOptions): DraftSaver {
  const nameOf = (campaign: Campaign | null) => `${owner} draft ${campaign?.campaign ?? 'new'}:`;
  const earlier = saving.get(nameOf(saved));
  if (earlier !== undefined) return earlier;

  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOpen = false;
  let isSaving = false;
  let isDiscarded = false;

  const kept = readKept<Kept>(nameOf(saved));
  let state = judge({
    values: kept?.values ?? valuesOf(saved),
    // An edit that was made meanwhile is noticed by the revision.
    saved: saved && kept ? { ...saved, revision: kept.revision } : saved,
    error: null,
  });

  function update(part: Partial<DraftState>): void {
    state = judge({ ...state, ...part });
    const { values, saved: base } = state;
    if (state.isDirty) writeKept(nameOf(base), { values, revision: base?.revision ?? 0 });
    else forgetKept(nameOf(base));
    for (const listener of listeners) listener();
  }

  function schedule(delayMs: number): void {
    clearTimeout(timer);
    if (isOpen && state.isDirty) timer = setTimeout(saveNow, delayMs);
  }

  function saveNow(): void {
    clearTimeout(timer);
    if (!isSaving) void saveAll();
  }

  async function saveAll(): Promise<void> {
    isSaving = true;
    try {
      while (state.isDirty && !isDiscarded) {
        const { values, saved: base } = state;
        const name = nameOf(base);
        saving.set(name, saver);
        const call = save({ draft: readDraft(values), saved: base });
        const answer = await call.finally(() => saving.delete(name));
        forgetKept(name);
        if (!isDiscarded) update({ saved: answer, error: null });
      }
    } catch (error) {
      update({ error: error as Error });
      if (!isRefused(error)) schedule(RETRY_MS);
    } finally {
      isSaving = false;
    }
  }

  const saver: DraftSaver = {
    read: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    edit(values) {
      update({ values: { ...state.values, ...values } });
      schedule(PAUSE_MS);
    },
    receive(newer) {
      const { saved: known, isDirty } = state;
      if (newer === null || newer.campaign !== known?.campaign || isDirty) return;
      if (newer.revision > known.revision) update({ saved: newer, values: valuesOf(newer) });
    },
    saveNow,
    open() {
      isOpen = true;
      schedule(PAUSE_MS);
      return () => {
        isOpen = false;
        saveNow();
      };
    },
    discard() {
      isDiscarded = true;
      saving.delete(nameOf(state.saved));
      forgetKept(nameOf(state.saved));
    },
  };
  return saver;
}

function valuesOf(saved: Campaign | null): Values {
  const { subject = '', body = '', filter = {} } = saved ?? {};
  return { subject, body, filter: writeFilter(filter) };
}

function readDraft({ subject, body, filter }: Values): CampaignRequest {
  return { subject, body, filter: readRecipients(filter) };
}

function judge(state: Omit<DraftState, 'isDirty'>): DraftState {
  const { subject, body } = state.values;
  const isDirty =
    state.saved === null
      ? (subject + body).trim() !== ''
      : !isSame(readDraft(state.values), state.saved);
  return { ...state, isDirty };
}
