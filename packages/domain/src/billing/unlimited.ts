/** What stands for no limit in the place of a number. */
export const unlimited = -1
