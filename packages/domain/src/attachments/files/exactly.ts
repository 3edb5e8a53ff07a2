import { DomainError } from '../../errors.ts'

/** Seconds after which to try again: what was read may have been cut on its way. */
const retryAfterSeconds = 5

/**
 * The pieces, of which there must be so many bytes: nobody takes part of a file, or what was added to it, for the file.
 * Fails with `service_busy` where fewer come, or more. The piece that completes them is held back until nothing follows,
 * so that nobody gets all of the bytes before it is known that they are all.
 */
export async function* exactly(
  size: number,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let come = 0
  let last: Uint8Array | undefined
  for await (const piece of pieces) {
    if (piece.length === 0) continue
    come += piece.length
    if (come > size) throw damaged(size, `${come} or more`)
    if (come === size) last = piece
    else yield piece
  }
  if (come < size) throw damaged(size, String(come))
  if (last) yield last
}

function damaged(size: number, come: string): DomainError {
  const message = `The file could not be read whole: try again in ${retryAfterSeconds} seconds`
  const cause = new Error(`Of what is stored ${come} bytes came, where there must be ${size}`)
  return Object.assign(new DomainError('service_busy', message, { retryAfterSeconds }), { cause })
}
