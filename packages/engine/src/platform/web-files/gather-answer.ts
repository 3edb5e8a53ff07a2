import type { IncomingMessage } from 'node:http'
import { limits } from '@gateleg/domain/limits'
import { GatheredPieces } from '../blobs/gathered-pieces.ts'

/** Pieces after which it is looked at how long they are: a few short ones are nobody's doing. */
const piecesBetweenLooks = 500

/** Puts together the short pieces in which an answer comes, and ends an answer whose pieces are too short on average. */
export function gatherAnswer(answer: IncomingMessage): void {
  // What a network cuts into pieces comes in packets, of which a thousand are a thousand of the server's, too.
  if (answer.headers['transfer-encoding'] === undefined) return
  const pieces = new GatheredPieces(answer)
  let count = 0
  let bytes = 0
  answer.push = (piece: Buffer | null) => {
    if (answer.destroyed) return false
    bytes += piece?.length ?? 0
    if (piece && ++count % piecesBetweenLooks === 0 && bytes < count * limits.fetchPieceBytes) {
      answer.destroy(new Error('The answer comes in pieces that are too short'))
      return false
    }
    return pieces.handOn(piece)
  }
  answer._read = (size) => pieces.read(size)
}
