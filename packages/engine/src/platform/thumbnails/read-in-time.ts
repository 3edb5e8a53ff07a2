import { DomainError } from '@gateleg/domain/errors'

const retryAfterSeconds = 5

/**
 * The pieces, for which so many milliseconds are waited in all; what is done with them in between doesn't count. Fails with
 * `service_busy` when they are over, and waits for nothing more then.
 */
export async function* readInTime(
  pieces: AsyncIterable<Uint8Array>,
  milliseconds: number,
): AsyncGenerator<Uint8Array> {
  const reading = pieces[Symbol.asyncIterator]()
  let leftMs = milliseconds
  try {
    for (;;) {
      const beganMs = performance.now()
      const piece = await inTime(reading.next(), leftMs)
      leftMs -= performance.now() - beganMs
      if (piece.done) return
      yield piece.value
    }
  } finally {
    // It may wait for what comes too late.
    reading.return?.()?.catch(() => undefined)
  }
}

async function inTime<T>(coming: Promise<T>, milliseconds: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooSlow()), milliseconds)
  try {
    return await Promise.race([coming, late])
  } finally {
    clearTimeout(timer)
  }
}

function tooSlow(): DomainError {
  const message = `The file comes too slowly now: try again in ${retryAfterSeconds} seconds`
  const cause = new Error('What is stored of an image came too slowly')
  return Object.assign(new DomainError('service_busy', message, { retryAfterSeconds }), { cause })
}
