import type { IncomingMessage } from 'node:http'
import { limits } from '@gateleg/domain/limits'

/** Pieces of fewer bytes are put together with those beside them. */
const shortBytes = 1_024

/** Pieces after which it is looked at how long they are: a few short ones are nobody's doing. */
const piecesBetweenLooks = 500

/**
 * Puts together the short pieces in which an answer comes, where they are parsed: its server decides how long they are
 * (`Transfer-Encoding: chunked`), and each would take 200 bytes and some microseconds of whoever reads them. Ends an answer
 * whose pieces are too short on average.
 */
export function gatherAnswer(answer: IncomingMessage): void {
  // What a network cuts into pieces comes in packets, of which a thousand are a thousand of the server's, too.
  if (answer.headers['transfer-encoding'] === undefined) return
  const gathered: Buffer[] = []
  let count = 0
  let bytes = 0
  let isFull = false
  const push = answer.push.bind(answer)
  const read = answer._read.bind(answer)
  const flush = () => {
    const [first, ...others] = gathered.splice(0)
    if (!first || answer.destroyed) return
    isFull = !push(others.length === 0 ? first : Buffer.concat([first, ...others]))
  }
  answer.push = (piece: Buffer | null) => {
    if (answer.destroyed) return false
    if (piece === null || piece.length >= shortBytes) flush()
    if (piece === null) return push(null)
    bytes += piece.length
    if (++count % piecesBetweenLooks === 0 && bytes < count * limits.fetchPieceBytes) {
      answer.destroy(new Error('The answer comes in pieces that are too short'))
      return false
    }
    if (piece.length >= shortBytes) return push(piece)
    // Not in the next tick, which comes before the next piece: when what is there has been parsed.
    if (gathered.push(piece) === 1) setImmediate(flush)
    return !isFull
  }
  answer._read = (size) => {
    isFull = false
    read(size)
  }
}
