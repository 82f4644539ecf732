/** Why a GIF is taken out of answers, as bits: each comes and goes by itself. */
export const HIDDEN_BY_OPERATOR = 1;
export const HIDDEN_AS_DEAD = 2;
export const HIDDEN_AS_BLOCKED = 4;
export const HIDDEN_AS_WITHDRAWN = 8;
