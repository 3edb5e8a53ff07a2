import { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { limits } from '@gateleg/domain/limits'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readInTurns } from './read-in-turns.ts'

/** A stream to which everything was sent at once, and what was taken of it so far. */
function openStream(pieces: readonly Buffer[]) {
  const left = [...pieces, null]
  const stream = new Duplex({
    read() {
      this.push(left.shift() ?? null)
    },
    write: (_data, _encoding, done) => done(),
  })
  const taken: Buffer[] = []
  stream.on('data', (data: Buffer) => taken.push(data))
  const ended = new Promise((resolve) => stream.once('end', resolve))
  readInTurns(stream)
  return { stream, taken, ended }
}

test('[POSTGRES-161] takes a bounded part of what was sent in one turn of the event loop', async () => {
  const pieces = Array.from({ length: 256 }, () => Buffer.alloc(4_096))
  const { taken, ended } = openStream(pieces)
  let before = 0
  const perTurn: number[] = []
  while (taken.length < pieces.length) {
    await setImmediate()
    const bytes = taken.reduce((sum, { length }) => sum + length, 0)
    perTurn.push(bytes - before)
    before = bytes
  }
  await ended
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(2 * limits.answerBytesInOneTurn)
  expect(perTurn.length).toBeGreaterThan(8)
})

test('[POSTGRES-161] never loses or reorders anything', async () => {
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constant(50_000)), {
    maxLength: 30,
  })
  await fc.assert(
    fc.asyncProperty(sizes, async (lengths) => {
      const pieces = lengths.map((length, index) => Buffer.alloc(length, index))
      const { taken, ended } = openStream(pieces)
      await ended
      expect(Buffer.concat(taken).equals(Buffer.concat(pieces))).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('[POSTGRES-161] leaves a stream that was ended meanwhile alone', async () => {
  const { stream, taken } = openStream(Array.from({ length: 100 }, () => Buffer.alloc(4_096)))
  await setImmediate()
  stream.destroy()
  const before = taken.length
  await setImmediate()
  await setImmediate()
  expect(taken).toHaveLength(before)
})
