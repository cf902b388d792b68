import facesInRow from 'virtual:faces-row.svg';
import facesInRows from 'virtual:faces-rows.svg';
import { useEffect, useState } from 'react';
import { brand } from '../../../brand/brand.ts';

/**
 * Eight painted faces, one picture: in a row, on phones in two. It waits for hydration, because
 * browsers fetch a lazy picture that is near the first view before they paint.
 */
export function Faces() {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  const picture = (
    <picture>
      <source media="(max-width: 40rem)" srcSet={facesInRows} width={448} height={288} />
      <img src={facesInRow} width={912} height={136} alt={brand.copy.facesAlt} loading="lazy" />
    </picture>
  );
  return <div className="faces">{isHydrated ? picture : <noscript>{picture}</noscript>}</div>;
}
