/** The order in which a member takes sizes. */

export type Wish = { readonly sizes: readonly string[]; readonly takesAny: boolean };

/** A pressed size goes to the end of the order; one that is in it is taken out. */
export function pressSize({ sizes, takesAny }: Wish, size: string): Wish {
  if (!sizes.includes(size)) return { sizes: [...sizes, size], takesAny };
  return { sizes: sizes.filter((one) => one !== size), takesAny };
}

/** "Medium first, then Small, then any other." */
export function describeWish({ sizes, takesAny }: Wish): string {
  const [first, ...others] = sizes;
  if (first === undefined) return takesAny ? 'Any size.' : 'Choose at least one size.';
  if (others.length === 0 && !takesAny) return `${first} only.`;
  const then = [...others, ...(takesAny ? ['any other'] : [])].map((size) => `then ${size}`);
  return `${[`${first} first`, ...then].join(', ')}.`;
}
