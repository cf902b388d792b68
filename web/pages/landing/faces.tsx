import facesInRow from 'virtual:faces-row.svg';
import facesInRows from 'virtual:faces-rows.svg';
import { brand } from '../../../brand/brand.ts';

/** Eight painted faces, one picture: in a row, on phones in two. */
export function Faces() {
  return (
    <picture className="faces">
      <source media="(max-width: 40rem)" srcSet={facesInRows} width={448} height={288} />
      <img src={facesInRow} width={912} height={136} alt={brand.copy.facesAlt} loading="lazy" />
    </picture>
  );
}
