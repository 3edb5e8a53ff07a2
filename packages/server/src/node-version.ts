const oldestMajor = 22

/** Why the server can't run on this version of Node; undefined when it can. */
export function refuseOldNode(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= oldestMajor) return undefined
  return `It needs Node ${oldestMajor} or newer, and this is Node ${version}: see https://nodejs.org.`
}
