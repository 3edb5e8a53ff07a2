import type { Socket } from 'node:net'

/** What Node keeps of a connection and documents nowhere: where it is missing, what has been read is parsed to its end. */
interface ParsedSocket {
  readonly parser?: { pause?(): void } | null
}

const stopped = new WeakSet<Socket>()

/**
 * Has nothing more parsed of what a connection has sent, from the end of the request or packet on that is being parsed: one
 * packet can hold a thousand requests, and closing the connection alone would have all of them made first. The pieces of a body
 * in the same packet are parsed whatever is done.
 */
export function stopParsing(socket: Socket): void {
  stopped.add(socket)
  const { parser } = socket as ParsedSocket
  parser?.pause?.()
}

/** Whether that was done: the connection is good for nothing but the answer that is under way. */
export function isStopped(socket: Socket): boolean {
  return stopped.has(socket)
}
