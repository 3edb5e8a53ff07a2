/** The first in which the driver of SQLite runs: in an older one it brings the process down without a word. */
const oldest = { major: 22, minor: 14 }

/** Why the server can't run on this version of Node; undefined when it can. */
export function refuseOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return undefined
  const needed = `Node ${oldest.major}.${oldest.minor} or newer`
  return `It needs ${needed}, and this is Node ${version}: see https://nodejs.org.`
}
