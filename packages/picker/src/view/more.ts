/* What the picker loads when somebody opens the menu or the details of a GIF. */

export { renderDetails } from './details.ts';
export { renderMenu } from './menu.ts';
