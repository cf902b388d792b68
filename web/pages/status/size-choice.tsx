/** The sizes that a member takes, in order: a chunk of its own, loaded when it is opened. */
import { useState } from 'react';
import type { SizeWishView } from '../../../contract/drop/drop-views.ts';
import { apiPaths, fillPath } from '../../../contract/paths.ts';
import { isObject } from '../../api/answer-shapes.ts';
import { request } from '../../api/request.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useTask } from '../../ui/use-task.ts';
import { useAsyncEffect } from '../../use-async-effect.ts';

const NO_ANSWER = 'No answer arrived. Nothing is lost: please try again.';

export function SizeChoice({ memberId }: { memberId: string }) {
  const [stored, setStored] = useState<SizeWishView | null>(null);
  const [wish, setWish] = useState<Wish>({ sizes: [], takesAny: true });
  const [problem, setProblem] = useState('');
  const { busy, message, perform } = useTask();
  const path = fillPath(apiPaths.sizes, memberId);

  useAsyncEffect(
    async (signal) => {
      try {
        const view = await request(path, NO_ANSWER, isWish, { signal });
        setStored(view);
        setWish({ sizes: view.sizes, takesAny: view.takes_any });
      } catch (error) {
        if (!signal.aborted) setProblem((error as Error).message);
      }
    },
    [path],
  );

  async function save(): Promise<string> {
    const body = { sizes: wish.sizes, takes_any: wish.takesAny };
    setStored(await request(path, NO_ANSWER, isWish, { post: { method: 'PUT', body } }));
    return 'Saved. You can change it until the order of the line is fixed.';
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
                {wish.sizes.includes(size) ? `${wish.sizes.indexOf(size) + 1}. ${size}` : size}
              </button>
            ))}
            <button
              type="button"
              className="pill"
              aria-pressed={wish.takesAny}
              disabled={isOff}
              onClick={() => setWish({ ...wish, takesAny: !wish.takesAny })}
            >
              {wish.takesAny ? '✓ Any other' : 'Any other'}
            </button>
          </div>
          <p role="status">{describeWish(wish)}</p>
          {stored.is_open ? (
            <Button isBusy={busy !== null} disabled={isEmpty} onClick={() => perform('save', save)}>
              Save my sizes
            </Button>
          ) : (
            <p>The order of the line is fixed, so sizes stay as they are.</p>
          )}
        </>
      )}
      <p className="quiet" role="status">
        {message || problem}
      </p>
    </div>
  );
}

function isWish(body: unknown): body is SizeWishView {
  return isObject(body) && 'choices' in body && 'sizes' in body;
}

type Wish = { readonly sizes: readonly string[]; readonly takesAny: boolean };

export function pressSize({ sizes, takesAny }: Wish, size: string): Wish {
  if (!sizes.includes(size)) return { sizes: [...sizes, size], takesAny };
  return { sizes: sizes.filter((wish) => wish !== size), takesAny };
}

export function describeWish({ sizes, takesAny }: Wish): string {
  const [first, ...others] = sizes;
  if (first === undefined) return takesAny ? 'Any size.' : 'Choose at least one size.';
  if (others.length === 0 && !takesAny) return `${first} only.`;
  const then = [...others, ...(takesAny ? ['any other'] : [])].map((size) => `then ${size}`);
  return `${[`${first} first`, ...then].join(', ')}.`;
}
