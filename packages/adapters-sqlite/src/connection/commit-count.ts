/** Counts the commits of this process, to any file: a snapshot that began at the present count shows all of them. */
export const commitCount = { made: 0 }
