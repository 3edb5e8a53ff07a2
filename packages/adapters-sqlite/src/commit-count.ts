/**
 * Counts the commits that this process has made, to whichever file: a snapshot that began at the same
 * count shows all of them.
 */
export const commitCount = { made: 0 }
