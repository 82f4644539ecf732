/**
 * Names the settings that all derivatives are made with. It stands in their addresses and their places on disk,
 * so both may be cached for ever: whoever changes the settings, or the rules of fitting, raises the number.
 */
export const RECIPE = 'r1';
