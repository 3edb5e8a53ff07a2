import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteParts } from './byte-parts.ts'

test('gives all bytes in their order, in parts of the length but for the last one', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 100 }),
      fc.integer({ min: 1, max: 40 }),
      (bytes, length) => {
        const parts = [...byteParts(bytes, length)]
        expect(parts.flatMap((part) => [...part])).toEqual([...bytes])
        for (const part of parts.slice(0, -1)) expect(part).toHaveLength(length)
        expect(parts).toHaveLength(Math.ceil(bytes.length / length))
      },
    ),
  )
})
