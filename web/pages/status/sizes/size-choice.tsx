/** The sizes that a member takes, in order. Loaded when it is opened. */
import { useState } from 'react';
import type { SizeWishView } from '../../../../contract/drop/drop-views.ts';
import { apiPaths } from '../../../../contract/paths.ts';
import { request } from '../../../api/request.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useAsyncEffect } from '../../../use-async-effect.ts';
import { describeWish, pressSize, type Wish } from './size-rules.ts';

const NO_ANSWER = 'No answer arrived. Nothing is lost: please try again.';

export function SizeChoice({ memberId }: { memberId: string }) {
  const [stored, setStored] = useState<SizeWishView | null>(null);
  const [wish, setWish] = useState<Wish>({ sizes: [], takesAny: true });
  const [message, setMessage] = useState('');
  const [isSaving, setIsSaving] = useState(false);

  useAsyncEffect(
    async (signal) => {
      try {
        const view = await callSizes(memberId, { signal });
        setStored(view);
        setWish({ sizes: view.sizes, takesAny: view.takes_any });
      } catch (error) {
        if (!signal.aborted) setMessage(sentenceOf(error));
      }
    },
    [memberId],
  );

  async function save(): Promise<void> {
    if (isSaving) return;
    setIsSaving(true);
    setMessage('');
    try {
      const body = { sizes: wish.sizes, takes_any: wish.takesAny };
      setStored(await callSizes(memberId, { post: { method: 'PUT', body, headers: {} } }));
      setMessage('Saved. You can change it until the order of the line is fixed.');
    } catch (error) {
      setMessage(sentenceOf(error));
    } finally {
      setIsSaving(false);
    }
  }

  const isEmpty = wish.sizes.length === 0 && !wish.takesAny;
  const isOff = stored === null || !stored.is_open;
  return (
    <div className="card-form">
      {stored && (
        <>
          <p className="quiet">Press the size that you prefer first, then the next.</p>
          <div className="size-list">
            {stored.choices.map((size) => (
              <button
                key={size}
                type="button"
                className="pill"
                aria-pressed={wish.sizes.includes(size)}
                disabled={isOff}
                onClick={() => setWish(pressSize(wish, size))}
              >
                {wish.sizes.includes(size) && `${wish.sizes.indexOf(size) + 1}. `}
                {size}
              </button>
            ))}
            <button
              type="button"
              className="pill"
              aria-pressed={wish.takesAny}
              disabled={isOff}
              onClick={() => setWish({ ...wish, takesAny: !wish.takesAny })}
            >
              {wish.takesAny && '✓ '}Any other
            </button>
          </div>
          <p role="status">{describeWish(wish)}</p>
          {stored.is_open ? (
            <Button isBusy={isSaving} disabled={isEmpty} onClick={save}>
              Save my sizes
            </Button>
          ) : (
            <p>The order of the line is fixed, so sizes stay as they are.</p>
          )}
        </>
      )}
      <p className="quiet" role="status">
        {message}
      </p>
    </div>
  );
}

function callSizes(
  memberId: string,
  options: Pick<Parameters<typeof request>[0], 'post' | 'signal'>,
): Promise<SizeWishView> {
  return request({
    path: apiPaths.sizes(memberId),
    fallback: NO_ANSWER,
    isExpected: isWish,
    ...options,
  });
}

function isWish(body: unknown): body is SizeWishView {
  return typeof body === 'object' && body !== null && 'choices' in body && 'sizes' in body;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : NO_ANSWER;
}
