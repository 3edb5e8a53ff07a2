/** The version of Node's interface for native code that the driver is built for; Node 22.14 has it. */
const neededVersion = 10

/** Throws an Error on an older Node, in which the driver would bring the process down without a word. */
export function requireNodeApi({ napi, node }: NodeJS.ProcessVersions = process.versions): void {
  if (Number(napi) >= neededVersion) return
  throw new Error(`SQLite needs Node 22.14 or newer, and this is Node ${node}`)
}
