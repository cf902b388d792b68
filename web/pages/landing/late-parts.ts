/** One chunk for what stands below the first view. */
export { FacesWall } from './faces-wall.tsx';
export { Portrait, SeeIt } from './see-it.tsx';
