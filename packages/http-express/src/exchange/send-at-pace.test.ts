import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { limits } from '@gateleg/domain/limits'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sendAtPace } from './send-at-pace.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** What the system holds of an answer, all of which must be gone before it tells of room. */
const systemBytes = 4_000_000

/** A response over a line that carries so many bytes per second, by a clock that the test turns. */
class SlowResponse extends EventEmitter {
  destroyed = false
  isWhole = false
  readonly #bytesPerSecond: number
  #held = 0

  constructor(bytesPerSecond: number) {
    super()
    this.#bytesPerSecond = bytesPerSecond
  }

  write(piece: Buffer): boolean {
    const isFull = this.#held + piece.length > systemBytes
    const carriedMs = isFull ? (this.#held / this.#bytesPerSecond) * 1_000 : 0
    this.#held = isFull ? piece.length : this.#held + piece.length
    if (Number.isFinite(carriedMs)) setTimeout(() => this.emit('drain'), carriedMs)
    return false
  }

  end(): void {
    this.isWhole = true
    this.emit('close')
  }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

function send(bytesPerSecond: number): SlowResponse {
  const response = new SlowResponse(bytesPerSecond)
  sendAtPace(response as unknown as ServerResponse, [Buffer.alloc(22_000_000)])
  return response
}

test.each([110_000, limits.answerBytesPerSecond + 9_000])(
  '[HTTP-44] an answer arrives whole at %i bytes per second, of which the system tells in large steps',
  (bytesPerSecond) => {
    const response = send(bytesPerSecond)
    vi.advanceTimersByTime(600_000)
    expect(response).toMatchObject({ destroyed: false, isWhole: true })
  },
)

test.each([0, 40_000])('[HTTP-44] an answer is cut at %i bytes per second', (bytesPerSecond) => {
  const response = send(bytesPerSecond)
  vi.advanceTimersByTime((limits.answerStalledSeconds - 5) * 1_000)
  expect(response.destroyed).toBe(false)
  vi.advanceTimersByTime(60_000)
  expect(response).toMatchObject({ destroyed: true, isWhole: false })
})
