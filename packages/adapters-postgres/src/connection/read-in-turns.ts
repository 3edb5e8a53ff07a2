import type { Duplex } from 'node:stream'
import { limits } from '@gateleg/domain/limits'

/**
 * Has those who listen to a stream take some `limits.answerBytesInOneTurn` in one turn of the event loop, and what follows in
 * the next ones. Node reads a connection for as long as there is something, up to some 2 MB, before it looks at any other: the
 * rows of a long answer would all be read while other callers wait. To be called when all others listen already.
 */
export function readInTurns(stream: Duplex): void {
  let bytes = 0
  const goOn = () => {
    bytes = 0
    stream.resume()
  }
  stream.on('data', (data: Uint8Array) => {
    bytes += data.length
    if (bytes < limits.answerBytesInOneTurn || stream.isPaused()) return
    stream.pause()
    setImmediate(goOn)
  })
}
