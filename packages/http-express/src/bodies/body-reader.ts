import type { IncomingMessage } from 'node:http'
import type { Operation } from '@gateleg/contract/operation'
import { DomainError } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { ConnectionLost } from '../connections/connection-lost.ts'
import { LoopTurns } from '../connections/loop-turns.ts'
import { BodyBudget, type BodyShare } from './body-budget.ts'
import { BodyPieces } from './body-pieces.ts'
import { BodyWatch } from './body-watch.ts'
import { isStopped } from './stop-parsing.ts'

/** How many bytes bodies may have, and how slowly they may arrive. */
export interface BodyLimits {
  /** Bytes that bodies of all requests may take in memory at the same time. */
  readonly bytesAtOnce: number
  /** Milliseconds for which a body may come as slowly as it likes. */
  readonly graceMs: number
  /** Bytes that must have come for each second after that. */
  readonly bytesPerSecond: number
  /** Milliseconds in each of which it must keep that pace, however fast it started. */
  readonly windowMs: number
  /** Milliseconds in which any body must have come. */
  readonly totalMs: number
  /** Milliseconds for which the rest of a body is thrown away that nobody reads, before the line is cut. */
  readonly refusedMs: number
  /** Milliseconds between two looks at what is under way. */
  readonly lookMs: number
}

/** The default limits. */
const defaultBodyLimits: BodyLimits = {
  bytesAtOnce: limits.bodyBytesAtOnce,
  graceMs: limits.bodyGraceSeconds * 1_000,
  bytesPerSecond: limits.bodyBytesPerSecond,
  windowMs: limits.bodyPaceSeconds * 1_000,
  totalMs: limits.requestSeconds * 1_000,
  refusedMs: limits.refusedBodySeconds * 1_000,
  lookMs: 1_000,
}

/** Bytes that a piece of a body takes beside its own: a body can come one byte at a time. */
const chunkBytes = 256

/** Receives the bodies of an app's requests, within limits over all of them. */
export class BodyReader {
  readonly budget: BodyBudget
  readonly #limits: BodyLimits
  readonly #watch: BodyWatch
  readonly #pieceTurns = new LoopTurns(() => limits.filePiecesMs)

  constructor(given: Partial<BodyLimits> = {}) {
    this.#limits = { ...defaultBodyLimits, ...given }
    this.budget = new BodyBudget(this.#limits.bytesAtOnce)
    this.#watch = new BodyWatch(this.#limits.lookMs)
  }

  /**
   * Undefined when a piece of a file may be taken at once, else what resolves when it may: many that come at the same moment are
   * taken over several turns of the event loop, callers in turn.
   */
  pieceTurn(caller: string): Promise<void> | undefined {
    return this.#pieceTurns.enter(caller)
  }

  /** Bytes that the body of an operation may have: no more than its part of the budget, however that is set. */
  mostOf({ isPublic }: Pick<Operation, 'isPublic'>): number {
    return Math.min(isPublic ? limits.publicBodyBytes : limits.jsonBodyBytes, this.budget.mostOfOne)
  }

  /**
   * The bytes of a body in the pieces that they come in, each taken from the share. Fails with `payload_too_large` beyond the
   * most, with `request_timeout` when it comes too slowly, and with what the share fails with.
   */
  receive(request: IncomingMessage, share: BodyShare, most: number): Promise<readonly Buffer[]> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      let size = 0
      const isTooSlow = this.#pace()
      const watched = {
        isLate: (nowMs: number) => isTooSlow(nowMs, size),
        onLate: () => stop(tooSlow()),
      }
      const stop = (error: Error) => {
        this.#watch.delete(watched)
        share.hasArrived()
        request.off('data', onData)
        chunks.length = 0
        reject(error)
      }
      const pieces = new BodyPieces(request)
      const onData = (chunk: Buffer) => {
        size += chunk.length
        if (size > most) return stop(bodyTooLarge(most))
        try {
          pieces.take()
          share.take(chunk.length + chunkBytes)
        } catch (error) {
          return stop(error as Error)
        }
        chunks.push(chunk)
      }
      this.#watch.add(watched)
      share.arrives(stop)
      request.on('data', onData)
      request.once('end', () => {
        this.#watch.delete(watched)
        share.hasArrived()
        resolve(chunks)
      })
      request.once('error', () => stop(new ConnectionLost()))
    })
  }

  /**
   * Sees that a body which somebody else reads comes at the pace, in time, and in pieces that are no waste: tells of it once
   * when it doesn't. Answers what ends that.
   */
  follow(request: IncomingMessage, onRefused: (error: DomainError) => void): () => void {
    let size = 0
    const isTooSlow = this.#pace()
    const pieces = new BodyPieces(request)
    const onData = (chunk: Buffer) => {
      size += chunk.length
      try {
        pieces.take()
      } catch (error) {
        end()
        onRefused(error as DomainError)
      }
    }
    const end = () => {
      this.#watch.delete(watched)
      request.off('data', onData)
    }
    const watched = {
      isLate: (nowMs: number) => isTooSlow(nowMs, size),
      onLate: () => {
        end()
        onRefused(tooSlow())
      },
    }
    this.#watch.add(watched)
    request.on('data', onData).once('end', end)
    return end
  }

  /**
   * The bytes of a body as they come, for who reads them as fast as they can: none but those that were asked for are in
   * memory. They come in the turns of the caller. Fails with `request_timeout` when they come too slowly, for the time in which
   * they are waited for, and with `ConnectionLost`.
   */
  async *stream(request: IncomingMessage, caller: string): AsyncGenerator<Buffer> {
    const iterator = request.iterator({ destroyOnReturn: false })
    const isTooSlow = this.#pace()
    const pieces = new BodyPieces(request)
    /** Milliseconds in which nobody waited for the caller. */
    let restedMs = 0
    try {
      for (let size = 0; ; ) {
        const next = await this.#next(iterator, (nowMs) => isTooSlow(nowMs - restedMs, size))
        if (next.done) return
        size += next.value.length
        pieces.requireWorthwhile()
        const takenMs = performance.now()
        const turn = this.pieceTurn(caller)
        if (turn) await turn
        yield next.value
        restedMs += performance.now() - takenMs
      }
    } finally {
      // While it listens, nobody else gets what still comes: not even to throw it away.
      void iterator.return?.()
    }
  }

  /** What comes next; fails once it is late. */
  async #next(
    iterator: AsyncIterator<Buffer>,
    isLate: (nowMs: number) => boolean,
  ): Promise<IteratorResult<Buffer>> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    late.catch(() => undefined)
    const watched = { isLate, onLate: () => reject(tooSlow()) }
    this.#watch.add(watched)
    try {
      return await Promise.race([iterator.next(), late])
    } catch (error) {
      if (error instanceof DomainError) throw error
      throw new ConnectionLost()
    } finally {
      this.#watch.delete(watched)
    }
  }

  /**
   * Throws away what still comes of a body that nobody will read, so that the caller gets to reading the
   * answer; cuts the line when that takes too long, or comes in pieces that are a waste.
   */
  discard(request: IncomingMessage): void {
    if (request.complete || request.destroyed) return
    // Such a connection ends with the answer, which may not be on its way yet.
    if (isStopped(request.socket)) return
    const untilMs = performance.now() + this.#limits.refusedMs
    const watched = {
      isLate: (nowMs: number) => nowMs >= untilMs,
      onLate: () => request.socket.destroy(),
    }
    this.#watch.add(watched)
    const pieces = new BodyPieces(request)
    // Whoever read the body piece by piece, and stopped without a word, would keep it from coming.
    request.removeAllListeners('readable')
    const onData = () => {
      try {
        pieces.take()
      } catch {
        request.socket.destroy()
      }
    }
    request.on('data', onData)
    request.once('close', () => this.#watch.delete(watched)).resume()
  }

  /**
   * Tells of a body, from its bytes so far, whether it comes too slowly. The pace is measured over the whole
   * time and over windows of it, each with the same grace: a fast start is no excuse for a stop.
   */
  #pace(): (nowMs: number, size: number) => boolean {
    const { graceMs, bytesPerSecond, totalMs, windowMs } = this.#limits
    const least = (ms: number) => (bytesPerSecond * (ms - graceMs)) / 1_000
    const startMs = performance.now()
    let windowStartMs = startMs
    let sizeBefore = 0
    return (nowMs, size) => {
      const ms = nowMs - startMs
      if (ms > totalMs || size < least(ms)) return true
      if (nowMs - windowStartMs < windowMs) return false
      if (size - sizeBefore < least(windowMs)) return true
      windowStartMs = nowMs
      sizeBefore = size
      return false
    }
  }
}

/** The refusal of a body of more bytes than the most. */
export function bodyTooLarge(most: number): DomainError {
  // What may be so small carries no list: there is nothing that could come in parts.
  const advice = most > limits.publicBodyBytes ? ': send it in parts' : ''
  return new DomainError(
    'payload_too_large',
    `The body may have ${most} bytes at most here${advice}`,
  )
}

function tooSlow(): DomainError {
  return new DomainError('request_timeout', 'The body arrived too slowly: send it again')
}
