import { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GatheredWrites } from './gathered-writes.ts'

/** A stream that keeps what it is given to send, packet by packet. */
function openStream() {
  const packets: Buffer[] = []
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      packets.push(chunk)
      done()
    },
    writev(chunks, done) {
      packets.push(Buffer.concat(chunks.map(({ chunk }) => chunk)))
      done()
    },
  })
  return { stream, packets }
}

test('sends in one packet what is written in one turn of the event loop', async () => {
  const { stream, packets } = openStream()
  const writes = new GatheredWrites(stream)
  stream.write(Buffer.from('begin;'))
  await Promise.resolve()
  stream.write(Buffer.from('select 1;'))
  expect([packets.length, writes.turn]).toEqual([0, 0])
  await setImmediate()
  expect([packets.map(String), writes.turn]).toEqual([['begin;select 1;'], 1])
})

test('never reorders what is written, however large and however it is written', async () => {
  const piece = fc.record({
    bytes: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(70_000)),
    how: fc.constantFrom('bytes', 'text', 'waited for'),
    isLast: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const { stream, packets } = openStream()
      new GatheredWrites(stream)
      let expected = ''
      for (const [index, { bytes, how, isLast }] of pieces.entries()) {
        const text = String.fromCharCode(97 + (index % 26)).repeat(bytes)
        expected += text
        if (how === 'text') stream.write(text)
        else if (how === 'bytes') stream.write(Buffer.from(text))
        else await new Promise((resolve) => stream.write(Buffer.from(text), resolve))
        if (isLast) await setImmediate()
      }
      await setImmediate()
      expect(Buffer.concat(packets).toString() === expected).toBe(true)
    }),
    { numRuns: 50 },
  )
})
