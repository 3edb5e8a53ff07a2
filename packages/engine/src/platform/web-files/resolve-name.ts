/** The addresses of a name, none where it has none. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/** Milliseconds in which a server of names must answer, and how often it is asked. */
const asking = { timeout: 3_000, tries: 2 }

/**
 * Asks DNS for the addresses of a name. It doesn't use the lookup of the operating system, which keeps a thread busy
 * for each name, so that a few slow DNS servers would hold up all work with files.
 */
export const resolveName: ResolveName = async (name, signal) => {
  const { Resolver } = await import('node:dns/promises')
  const resolver = new Resolver(asking)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
